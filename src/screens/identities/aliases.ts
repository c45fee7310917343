import { errorFacts, type ErrorFacts } from "~/ui/feedback/error-facts";
import { matchPath } from "~/ui/form/paths";

import type { FormKind } from "./values";

const oneofs = (at: string, members: readonly string[]) =>
  Object.fromEntries(members.map((member) => [`${at}.${member}Pattern`, `${at}.${member}`]));

const ALIASES: Readonly<Record<FormKind, Readonly<Record<string, string>>>> = {
  github: {
    "claimMatch.subject": "github.repository",
    "claimMatch.subjectPattern": "github.repository",
  },
  claims: oneofs("claimMatch", ["issuer", "subject", "audience"]),
  keys: { "staticKeys.expirationTime": "staticKeys.expires", "staticKeys.audiences": "staticKeys.audience" },
  aws: oneofs("awsIdentity", ["arn", "userId"]),
  // What is wrong with the choice of a relationship stands, in the API, at the first one.
  service: { claimMatch: "servicePrincipal" },
  other: {},
};

/** The form's name for a path of the API, as far as they differ for the kind that is shown. */
export function formField(kind: FormKind, path: string): string {
  const aliases = ALIASES[kind];
  return matchPath(path, Object.values(aliases), aliases) ?? path;
}

/** An error of a write with its violations under the form's own field names. */
export function inForm(kind: FormKind, error: unknown): ErrorFacts {
  const facts = errorFacts(error);
  const violations = facts.violations.map(({ field, description }) => ({
    field: formField(kind, field),
    description,
  }));
  return { ...facts, violations };
}
