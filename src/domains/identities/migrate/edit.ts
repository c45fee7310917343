import * as z from "zod/mini";

import type { IdentityInput } from "platform-contract/iam/identities";

import type { ClaimMatch } from "./proposal";

/** What the user changed in the proposal for one identity. */
export const editSchema = z.object({
  name: z.optional(z.string()),
  /** The subject, or its pattern. */
  subject: z.optional(z.string()),
  isPattern: z.optional(z.boolean()),
  /** Exact claims, one a line: "environment=production". */
  claims: z.optional(z.string()),
  /** True if the user took what a decision was asked about as it is. */
  decided: z.optional(z.boolean()),
  /** True if it stays as it is. */
  left: z.optional(z.boolean()),
});
export type Edit = z.infer<typeof editSchema>;
export type Edits = Readonly<Record<string, Edit>>;

export const isPatternIn = ({ claimMatch }: IdentityInput): boolean =>
  claimMatch?.subjectPattern !== undefined;

/** The subject of a rule, or its pattern. */
export const subjectOf = ({
  claimMatch,
  staticKeys,
}: Pick<IdentityInput, "claimMatch" | "staticKeys">): string =>
  claimMatch?.subjectPattern ?? claimMatch?.subject ?? staticKeys?.subject ?? "";

export const claimLines = (claims: ClaimMatch["claims"] = {}): string =>
  Object.entries(claims)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");

/** Reads lines such as "environment=production"; one without "=" is a claim without a value, which the contract refuses. */
function readClaims(lines: string): Record<string, string> {
  const claims = lines.split("\n").flatMap((line) => {
    if (line.trim() === "") return [];
    const at = line.indexOf("=");
    const [name, value] = at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at + 1)];
    return [[name.trim(), value.trim()] as const];
  });
  return Object.fromEntries(claims);
}

/** A proposed identity with what the user changed. */
export function edited(body: IdentityInput, edit: Edit): IdentityInput {
  const { name = body.name, subject = subjectOf(body), isPattern = isPatternIn(body), claims } = edit;
  if (body.staticKeys) return { ...body, name, staticKeys: { ...body.staticKeys, subject } };
  const { subject: _subject, subjectPattern: _pattern, claims: proposed, ...more } = body.claimMatch ?? {};
  const exact = claims === undefined ? proposed : readClaims(claims);
  return {
    ...body,
    name,
    claimMatch: {
      ...more,
      [isPattern ? "subjectPattern" : "subject"]: subject,
      ...(exact && Object.keys(exact).length > 0 && { claims: exact }),
    },
  };
}
