import type { Identity } from "platform-contract/iam/identities";
import { escapePattern } from "~/domains/identities/identities/github";

import { problem, type ClaimMatch, type Mapping, type Proposal } from "./proposal";

/** Claims that begin with the owner: alone, or before a path. */
const OWNED = new Set([
  "repository",
  "repository_owner",
  "job_workflow_ref",
  "workflow_ref",
  "project_path",
  "namespace_path",
]);

/** Replaces the owner at the start of a text; undefined if it isn't there. IDs of GitHub (`acme@1/app@2`) stay. */
function renamed(text: string, owner: string, newOwner: string): string | undefined {
  if (text === owner) return newOwner;
  const rest = text.startsWith(owner) ? text.slice(owner.length) : undefined;
  return rest !== undefined && /^(?:@\d+)?\//.test(rest) ? newOwner + rest : undefined;
}

/** The same after the word that begins a subject. */
function renamedSubject(subject: string, owner: string, newOwner: string): string | undefined {
  const [, start = "", rest = ""] = /^(\^?(?:repo|project_path):)(.*)$/s.exec(subject) ?? [];
  const path = start === "" ? undefined : renamed(rest, owner, newOwner);
  return path === undefined ? undefined : start + path;
}

/** The same rule with another owner, in the subject and in claims that begin with it. */
export function toOwner({ claimMatch }: Identity, { owner, newOwner }: Mapping): Proposal {
  if (!claimMatch) return problem("It has static keys, which name no owner");
  const [from, to] = [owner.trim(), newOwner.trim()];
  const [fromPattern, toPattern] = [escapePattern(from), escapePattern(to)];
  let changed = false;
  const change = (text: string, next: string | undefined): string => {
    if (next !== undefined) changed = true;
    return next ?? text;
  };
  const { subject, subjectPattern, claims, claimPatterns } = claimMatch;
  const owned = (texts: Readonly<Record<string, string>>, before: string, after: string) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        name,
        OWNED.has(name) ? change(text, renamed(text, before, after)) : text,
      ]),
    );
  const rule: ClaimMatch = {
    ...claimMatch,
    ...(subject !== undefined && { subject: change(subject, renamedSubject(subject, from, to)) }),
    ...(subjectPattern !== undefined && {
      subjectPattern: change(subjectPattern, renamedSubject(subjectPattern, fromPattern, toPattern)),
    }),
    ...(claims && { claims: owned(claims, from, to) }),
    ...(claimPatterns && { claimPatterns: owned(claimPatterns, fromPattern, toPattern) }),
  };
  if (!changed || from === "")
    return problem(from === "" ? "No owner is chosen" : `It doesn't name ${from}/`);
  const withIds = /@\d+\//.test(subject ?? subjectPattern ?? "");
  return {
    rule: { claimMatch: rule },
    notes: withIds ? ["The owner's ID problem, as after a rename. Another owner has another ID."] : [],
  };
}
