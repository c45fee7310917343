import type { HeldRole } from "platform-contract/audit/access";
import { isPerson } from "~/frame/scope/people";
import { BYTE_ORDER_MARK, csvLine } from "~/ui/display/csv";

/** What an answer says besides the roles. */
export interface AccessAnswer {
  readonly held?: readonly HeldRole[] | undefined;
  readonly time?: string | undefined;
  readonly until?: string | undefined;
  readonly topGroup?: string | undefined;
  readonly belowLeftOut?: boolean | undefined;
  readonly knownSince?: string | undefined;
  readonly complete?: boolean | undefined;
}

const HEAD = [
  "Identity",
  "Identity ID",
  "Kind",
  "Role",
  "Role ID",
  "Granted in",
  "Path",
  "Granted in ID",
  "Role binding ID",
  "From",
  "To",
  "Ended since",
  "Uncertain",
];

/**
 * One line per role that was held, in the order given. From and To: within the day, else empty; From can be unknown.
 * Ended since: after it. Below them what the answer can't know.
 * @param paths of folders, by uid
 */
export const accessCsv = (
  held: readonly HeldRole[],
  paths: ReadonlyMap<string, string>,
  notes: readonly string[],
): string =>
  BYTE_ORDER_MARK +
  [
    HEAD,
    ...held.map((one) => [
      one.identityName ?? "",
      one.identity,
      isPerson(one.identity) ? "person" : "machine",
      one.roleName ?? "",
      one.role,
      one.groupName ?? "",
      paths.get(one.group) ?? "",
      one.group,
      one.roleBinding,
      one.startTime ?? (one.startUnknown ? "unknown" : ""),
      one.endTime ?? "",
      one.endSinceTime ?? "",
      one.changeUnknown ? "changed before the log began" : one.startUnknown ? "given at an unknown time" : "",
    ]),
    ...notes.map((note) => ["Note", note]),
  ]
    .map(csvLine)
    .join("");

/** The answer with its question, and what it cannot know. */
export const accessJson = (question: object, answer: AccessAnswer, notes: readonly string[]): string =>
  `${JSON.stringify({ question, ...answer, notes }, undefined, 2)}\n`;
