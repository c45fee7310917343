import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { useCan } from "~/frame/permissions/use-can";
import { rowsOf } from "~/api/queries/queries";
import { parentOf } from "platform-contract/aip";
import { listAuditEntries, type AuditEntry } from "platform-contract/audit/entries";
import { groupOf } from "platform-contract/holders";
import { isPerson } from "~/frame/scope/people";
import { useChosenGroup } from "~/frame/scope/chosen-group";
import { HiddenLine } from "~/frame/scope/hidden-by-role";
import "~/ui/controls/button-styles";
import { formatCount } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { ExactTimes, Time } from "~/ui/display/time";
import { shorten } from "~/ui/display/shorten";
import { exactTime, readTime } from "~/ui/display/time-text";
import { UNKNOWN_CAUSE } from "~/ui/feedback/empty";
import { FailedPart } from "~/ui/feedback/failed-part";
import { AppLink } from "~/ui/layout/link";
import { ActionMenu } from "~/ui/overlay/menu";

import { Actor } from "./actor";
import classes from "./audit.module.css";
import { Justification } from "~/frame/record/justification";
import {
  aboutRecord,
  auditLogOf,
  entriesAbout,
  entryLink,
  historyQuery,
  ownHistoryQuery,
  SHOWN,
  type Historical,
} from "./queries";
import { isImport, says } from "./who";
import { fieldWords } from "~/frame/record/field-words";
import { actionWords, besideWords, nounOf, recordWords } from "./words";
import { useProof } from "../proof/use-proof";

/** A person is in no group, nor is a built-in role: their entries are wherever something was done. */
const placeOf = (record: Historical): string | undefined => groupOf(record) || undefined;

function useHistory(record: Historical) {
  const { allowed, capability } = useCan(listAuditEntries, placeOf(record));
  // Until the permissions are known, a request could be one that they refuse.
  const known = useCurrentUser().state !== "loading";
  const query = useInfiniteQuery({ ...historyQuery(record), enabled: allowed && known });
  const { rows, total } = rowsOf(query.data);
  return { allowed, capability, query, rows: rows.slice(0, SHOWN), total };
}

/** What was done to a record, newest first, and links to the rest. */
export function History({ record }: { readonly record: Historical }): ReactNode {
  const { allowed, capability, query, rows, total } = useHistory(record);
  if (!allowed)
    return (
      <Section title="History">
        <HiddenLine capability={capability} />
      </Section>
    );
  return (
    <Section title="History" count={total || undefined} actions={<Further record={record} />}>
      {query.isError ? (
        <FailedPart title="The history couldn't be loaded" error={query.error} onRetry={query.refetch} />
      ) : rows.length > 0 ? (
        <>
          <Entries rows={rows} record={record} />
          {total !== undefined && total > rows.length ? (
            <p className={classes["quiet"]}>
              The newest {rows.length} of {formatCount(total)}.{" "}
              <AppLink target={entriesAbout(record)}>Show all in the audit log</AppLink>
            </p>
          ) : (
            <Beginning rows={rows} record={record} />
          )}
        </>
      ) : (
        <p className={classes["quiet"]}>{query.data ? "Nothing in the audit log." : "Loading…"}</p>
      )}
    </Section>
  );
}

/** What the log can't tell of the record's beginning, below all of its entries. */
function Beginning(props: { readonly rows: readonly AuditEntry[]; readonly record: Historical }): ReactNode {
  const { rows, record } = props;
  if (rows.some((entry) => !isImport(entry) && says(entry, record, "created"))) return null;
  return (
    <p className={classes["quiet"]}>
      {rows.some(isImport)
        ? "What happened before it was imported isn't in this log."
        : "No entry that you can see says who created it."}
    </p>
  );
}

const LINK = { variant: "default", size: "compact-sm", component: AppLink } as const;

function Further({ record }: { readonly record: Historical }): ReactNode {
  const { collection, uid } = record;
  const { group } = useChosenGroup();
  const { kind } = aboutRecord(record);
  const proof = useProof({
    ask: { kind: "history", record: { uid, kind } },
    name: `${nounOf(collection)} ${shorten(uid)}`,
    organization: placeOf(record) ?? group,
  });
  return (
    <>
      {collection === "identities" ? (
        <Button {...LINK} target={auditLogOf({ actor: uid })}>
          {isPerson(uid) ? "What they did" : "What it did"}
        </Button>
      ) : null}
      {collection === "groups" ? (
        <Button {...LINK} target={auditLogOf({ group: uid })}>
          What changed here
        </Button>
      ) : null}
      <Button {...LINK} target={entriesAbout(record)}>
        Show in audit log
      </Button>
      <ActionMenu label="Save this history" actions={() => proof.actions} />
      {proof.dialog}
    </>
  );
}

const fieldsOf = ({ changes = [], change }: AuditEntry): string =>
  change === "updated" ? changes.map(({ field }) => fieldWords(field)).join(", ") : "";

function Entries(props: { readonly rows: readonly AuditEntry[]; readonly record: Historical }): ReactNode {
  const { rows, record } = props;
  return (
    <div className={classes["room"]}>
      <table className={classes["table"]} aria-label="History">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col" className={classes["who"]}>
              Who
            </th>
            <th scope="col" className={classes["when"]}>
              When
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((entry) => {
            const own = entry.record?.uid === record.uid && entry.record.kind === record.collection;
            const fields = own ? fieldsOf(entry) : "";
            return (
              <tr key={entry.uid}>
                <th scope="row">
                  <AppLink target={entryLink(entry.uid)}>
                    <bdi>{own ? actionWords(entry) : besideWords(entry, record.uid)}</bdi>
                  </AppLink>
                  {fields ? <span className={classes["fields"]}> {fields}</span> : null}
                  <Justification of={entry} />
                </th>
                <td>
                  <Actor of={entry} />
                </td>
                <td className={classes["quiet"]}>
                  <Time value={entry.createTime} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** True for the newest entry of these that says where a record has its present state from. */
const isLastChange = (entry: AuditEntry, record: Historical): boolean =>
  says(entry, record, "created", "updated") ||
  // The import of a repo tells of its tags.
  (isImport(entry) && entry.record?.uid === parentOf(record.uid));

/** Below the time of a record's last change: by whom, if the log says so, or that it came with an import. */
export function LastChangedBy({ record }: { readonly record: Historical }): ReactNode {
  const { allowed, query, rows, total } = useHistory(record);
  const newest = rows.find((each) => isLastChange(each, record));
  const own = useInfiniteQuery({
    ...ownHistoryQuery(record),
    enabled: query.data !== undefined && newest === undefined && (total ?? 0) > rows.length,
  });
  const entry = newest ?? rowsOf(own.data).rows.find((each) => isLastChange(each, record));
  if (entry && isImport(entry))
    return (
      <AppLink target={entryLink(entry.uid)}>
        imported{" "}
        <ExactTimes value={false}>
          <Time value={entry.createTime} />
        </ExactTimes>
      </AppLink>
    );
  if (entry)
    return (
      <>
        by <Actor of={entry} within />
      </>
    );
  return allowed && query.data && !own.isLoading ? (
    <span className={classes["quiet"]}>you can't see by whom</span>
  ) : null;
}

/** What became of a record that isn't there: who deleted it, if the log says so. */
export function Deletion({ record }: { readonly record: Historical }): ReactNode {
  const { allowed, query, rows } = useHistory(record);
  if (allowed && query.isPending) return null;
  const entry = rows.find((each) => says(each, record, "deleted"));
  const time = readTime(entry?.createTime);
  if (!entry || !time) return UNKNOWN_CAUSE;
  return (
    <p>
      <bdi>{nameOf(entry, record)}</bdi> was deleted by <Actor of={entry} within /> on{" "}
      <time dateTime={time.toISOString()}>{exactTime(time)}</time>.{" "}
      <AppLink target={entryLink(entry.uid)}>Show in audit log</AppLink>
    </p>
  );
}

/** The name of a record that changed with another one is in its own part of the entry. */
function nameOf(entry: AuditEntry, { uid }: Historical): string {
  const its = [entry, ...(entry.related ?? [])].find(({ record }) => record?.uid === uid);
  return recordWords({ ...entry, action: "" }, its?.record) || "It";
}
