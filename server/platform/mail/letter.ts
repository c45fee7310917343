import { html } from "hono/html";

/** A mail as people read it: paragraphs, of which some are links. */
export interface Letter {
  readonly subject: string;
  readonly body: readonly (string | { readonly label: string; readonly link: string })[];
}

/** Characters of a name that somebody chose. */
const LONGEST = 80;
/** Joins what it is between, invisibly. */
const JOINER = "\u2060";

/**
 * A name that somebody chose, for a mail: one line, not long, and nothing in it that mail programs make a link of.
 */
export function harmless(name: string): string {
  const line = name.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const characters = [...line];
  const short = characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join("")}…` : line;
  return short.replaceAll(/(?<=\S)[.:/@](?=\S)/gu, (sign) => `${JOINER}${sign}${JOINER}`);
}

export const textOf = ({ body }: Letter): string =>
  body.map((part) => (typeof part === "string" ? part : `${part.label}:\n${part.link}`)).join("\n\n");

/** Without styles and images: it looks like a mail from a person, in light and dark. */
export async function htmlOf({ subject, body }: Letter): Promise<string> {
  const paragraphs = body.map((part) =>
    typeof part === "string" ? html`<p>${part}</p>` : html`<p><a href="${part.link}">${part.label}</a></p>`,
  );
  const page = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${subject}</title>
      </head>
      <body>
        ${paragraphs}
      </body>
    </html>`;
  return page.toString();
}
