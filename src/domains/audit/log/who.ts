import type { AuditEntry } from "platform-contract/audit/entries";
import { shorten } from "~/ui/display/shorten";

import type { Historical } from "./queries";

/** A command wrote the record, with the times that it had: those of the record are older than the entry. */
export const IMPORT = "import";
export const isImport = ({ action }: AuditEntry): boolean => action === IMPORT;

export const isDone = ({ outcome }: AuditEntry): boolean =>
  outcome === undefined || outcome === "OUTCOME_DONE";

type Change = "created" | "updated" | "deleted";

/** True if the entry says that this happened to the record, alone or with others. */
export const says = (
  entry: AuditEntry,
  { collection, uid }: Historical,
  ...changes: readonly Change[]
): boolean =>
  isDone(entry) &&
  [entry, ...(entry.related ?? [])].some(
    ({ record, change }) =>
      record?.uid === uid && record.kind === collection && changes.some((each) => each === change),
  );

/** Who did it, in words; the service and commands have no identity. */
export function actorWords({ actor, request }: AuditEntry): string {
  if (actor?.name || actor?.uid) return actor.name || shorten(actor.uid ?? "");
  if (actor?.subject) return actor.subject;
  return NOBODY[request?.transport ?? ""]?.[0] ?? "Not signed in";
}

/**
 * By whom, within a sentence: "by Ann", "by the service". What a sign-in with a provider gives (its default role, roles of
 * mapped groups), nobody gave themselves.
 */
export const byWords = (entry: AuditEntry): string =>
  entry.actor
    ? actorWords(entry) + (entry.action === "signIn.provider" ? "'s sign-in with a provider" : "")
    : (NOBODY[entry.request?.transport ?? ""]?.[1] ?? "somebody who was not signed in");

/** What acts without an identity; alone, and within a sentence. */
const NOBODY: Readonly<Record<string, readonly [string, string]>> = {
  service: ["The service", "the service"],
  command: ["A command", "a command"],
};
