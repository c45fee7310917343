import * as z from "zod/mini";

import { isUid } from "platform-contract/aip";
import { getAuditEntry, listAuditEntries, OUTCOMES, type AuditEntry } from "platform-contract/audit/entries";
import { PLAIN } from "platform-contract/behavior";
import { everyKind } from "platform-contract/kinds";
import { actorWords } from "~/domains/audit/log/who";
import { entryTitle, operationWords, outcomeWords, recordWords } from "~/domains/audit/log/words";
import { paramToUid, uidToParam } from "~/frame/scope/uid-param";
import { capitalize } from "~/ui/display/capitalize";
import { defineScreens } from "~/frame/define";
import {
  choice,
  contains,
  date,
  exact,
  pinned,
  searched,
  type Filter,
  type SearchOf,
} from "~/frame/list/filters";
import { shorten } from "~/ui/display/shorten";

const DAY = 24 * 60 * 60 * 1000;

/** Midnight UTC, the times of this console: of the day, or of the next one. */
const midnight = (day: string, next = 0): string => new Date(Date.parse(day) + next * DAY).toISOString();

/** Filters by uid; the screen shows the name. */
const byUid = (parameter: string, label: string): Filter<AuditEntry> => ({
  label,
  parse: (text) => {
    const uid = paramToUid(text.trim());
    return isUid(uid) ? uidToParam(uid) : undefined;
  },
  query: (value) => ({ [parameter]: paramToUid(value) }),
  describe: (value) => `${label.toLowerCase()} is ${shorten(paramToUid(value))}`,
});

const KINDS = everyKind
  .filter(({ access }) => Object.keys(access).length > 2)
  .map(({ collection, plural }) => ({ value: collection, label: capitalize(plural) }));

const OUTCOME_CHOICES = OUTCOMES.map((value) => ({
  value: value.replace("OUTCOME_", "").toLowerCase(),
  label: outcomeWords(value).word,
}));

const filters = {
  contains: searched(
    contains<AuditEntry>("Name of a record or actor", (entry) => [
      actorWords(entry),
      recordWords(entry),
      entry.record?.name,
    ]),
  ),
  actor: byUid("actor", "Actor"),
  record: byUid("record", "Record"),
  action: {
    label: "Action",
    parse: (text) => (/^[A-Za-z]+(?:\.[A-Za-z]+)?$/.test(text) ? text : undefined),
    query: (action) => ({ action }),
    describe: (action) => `action is ${operationWords(action)}`,
  } satisfies Filter<AuditEntry>,
  outcome: pinned(
    choice<AuditEntry>("Outcome", OUTCOME_CHOICES, {
      query: (value) => ({ outcome: `OUTCOME_${value.toUpperCase()}` }),
    }),
  ),
  kind: choice<AuditEntry>("Kind", KINDS, { query: (kind) => ({ kind }) }),
  from: date<AuditEntry>("From", { query: (day) => ({ from: midnight(day) }) }),
  to: date<AuditEntry>("To", { query: (day) => ({ to: midnight(day, 1) }) }),
  address: exact("address", "Address"),
  jti: exact("jti", "Token ID"),
};
export type AuditSearch = SearchOf<typeof filters>;

export const auditScreens = defineScreens<AuditEntry, object>(
  {
    collection: "auditLog",
    noun: "entry",
    plural: "entries",
    affects: [],
    behavior: PLAIN,
    sortable: ["created_at"],
    request: z.object({}),
    list: listAuditEntries,
    get: getAuditEntry,
  },
  // A log grows without end: a search by name reads some of the newest entries, then asks.
  { filters, nameOf: entryTitle, scan: { step: 5_000 } },
);
