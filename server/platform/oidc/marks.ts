import { parse, serialize } from "hono/utils/cookie";
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import type { Cookies } from "./cookies";
import type { PageContext } from "./page-context";
import { expired, findInteraction } from "./open-interaction";

/** Seconds: as long as a sign-in can be open. */
const MAX_AGE_S = 3_600;

/** Marks the browser in which somebody proved who they are in a sign-in. */
export interface Marks {
  set(response: ServerResponse, interaction: string, subject: string): void;
  has(request: IncomingMessage, interaction: string, subject: string): boolean;
}

/**
 * The cookies of a sign-in itself have a path, so that a neighboring domain can plant its own in a browser, let somebody
 * sign in there, and go on in theirs (session fixation). This one is `__Host-` over https, and tells the browser of the
 * person from that of whoever opened the sign-in: a MAC over both, one cookie for each sign-in. `keys`: the first one
 * signs, all verify.
 */
export function createMarks(keys: readonly string[], { names, lasting: { path, secure } }: Cookies): Marks {
  const nameOf = (interaction: string): string => `${names.mark}_${interaction.slice(0, 8)}`;
  const mark = (key: string, interaction: string, subject: string): Buffer =>
    createHmac("sha256", key).update(`signed in\n${interaction}\n${subject}`).digest();
  return {
    set: (response, interaction, subject) =>
      response.appendHeader(
        "set-cookie",
        serialize(nameOf(interaction), mark(keys[0] ?? "", interaction, subject).toString("base64url"), {
          path,
          secure,
          httpOnly: true,
          sameSite: "Lax",
          maxAge: MAX_AGE_S,
        }),
      ),
    has(request, interaction, subject) {
      const name = nameOf(interaction);
      const sent = Buffer.from(parse(request.headers.cookie ?? "", name)[name] ?? "", "base64url");
      return keys.some((key) => {
        const right = mark(key, interaction, subject);
        return sent.length === right.length && timingSafeEqual(sent, right);
      });
    },
  };
}

/** Throws a Refusal if a sign-in has succeeded in another browser than this one. */
export async function requireMark(
  { provider, marks }: PageContext,
  request: IncomingMessage,
  uid: string,
): Promise<void> {
  const subject = (await findInteraction(provider, uid))?.result?.login?.accountId;
  if (subject !== undefined && !marks.has(request, uid, subject)) throw expired();
}
