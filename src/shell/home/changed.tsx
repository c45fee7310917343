import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { PackageIcon } from "lucide-react";
import { useState, type ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import "~/ui/controls/button-styles";
import { parentOf } from "platform-contract/aip";
import { KIND_ICONS } from "~/frame/kind-icons";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { FailedPart } from "~/ui/feedback/failed-part";
import { AppLink } from "~/ui/layout/link";

import {
  HELD,
  listOf,
  nameOf,
  newestQuery,
  pageOf,
  wordOf,
  type RecentRecord,
  type RecentKind,
} from "./holdings";
import { ChangedBy } from "./newest-by";
import styles from "./styles.module.css";
import { useNewest } from "./use-newest";

/** Number of records to show before the user asks for the rest. */
const SHOWN = 10;

/** The latest changes in a scope, of all kinds that the user may list. `group`: undefined for everything visible. */
export function Changed({ group }: { readonly group: string | undefined }): ReactNode {
  const client = useQueryClient();
  const refusal = useRefusal();
  const [all, setAll] = useState(false);
  const listed = HELD.filter(({ kind, list }) => kind.screens && refusal(list, group) === undefined);
  const answers = useNewest(listed, group);
  const failed = answers.filter(({ items, error }) => error && !items);
  const changes = answers
    .flatMap(({ held, items = [] }) => items.map((record) => ({ held, record })))
    // Built-in roles have the time of the service's last start; no user changed them.
    .filter(({ held, record }) => record.updateTime !== undefined && !isBuiltIn(held, record))
    .toSorted((one, other) => timeOf(other.record) - timeOf(one.record));
  // Wait for all kinds: rows arriving one kind at a time would move under the pointer.
  const waiting = answers.some(({ items, error }) => !items && !error);
  const shown = waiting ? [] : all ? changes : changes.slice(0, SHOWN);
  return (
    <Section title="Recently updated">
      <div className={styles["changed"]} aria-busy={waiting}>
        {failed[0] ? (
          <FailedPart
            title={
              failed.length === listed.length
                ? "Recent updates couldn't be loaded"
                : "Some kinds couldn't be loaded"
            }
            error={failed[0].error}
            onRetry={() =>
              Promise.all(failed.map(({ held }) => client.refetchQueries(newestQuery(held, group))))
            }
          />
        ) : null}
        {waiting ? <p className={styles["quiet"]}>Loading…</p> : null}
        {!waiting && changes.length === 0 && failed.length === 0 ? (
          <p className={styles["quiet"]}>Nothing to show yet.</p>
        ) : null}
        <ul className={styles["changes"]}>
          {shown.map(({ held, record }) => (
            <Change key={`${held.kind.collection} ${record.uid}`} held={held} record={record} group={group} />
          ))}
        </ul>
        {shown.length < changes.length && !waiting ? (
          <div>
            <Button variant="default" size="compact-sm" onClick={() => setAll(true)}>
              Show {changes.length - shown.length} more
            </Button>
          </div>
        ) : null}
      </div>
    </Section>
  );
}

const isBuiltIn = ({ kind }: RecentKind, { uid }: RecentRecord): boolean =>
  kind.collection === "roles" && parentOf(uid) === "";

const timeOf = ({ updateTime = "" }: RecentRecord): number => Date.parse(updateTime);

interface ChangeProps {
  readonly held: RecentKind;
  readonly record: RecentRecord;
  readonly group: string | undefined;
}

function Change({ held: { kind }, record, group }: ChangeProps): ReactNode {
  const Icon = KIND_ICONS[kind.collection] ?? PackageIcon;
  const page = pageOf(kind, record);
  const name = <bdi>{nameOf(kind, record)}</bdi>;
  const isNew = timeOf(record) === Date.parse(record.createTime ?? "");
  return (
    <li className={styles["change"]}>
      <span className={styles["glyph"]}>
        <Icon size={14} />
      </span>
      {page ? (
        <AppLink target={page} className={styles["what"]}>
          {name}
        </AppLink>
      ) : (
        name
      )}
      <AppLink
        target={listOf(kind.collection, group, { order: "updated_at desc" })}
        className={styles["kind"]}
        data-tip={`All ${kind.plural}, most recently updated first`}
      >
        {wordOf(kind, record)}
      </AppLink>
      <span className={styles["when"]}>
        <ChangedBy
          record={{ collection: kind.collection, uid: record.uid }}
          group={group}
          otherwise={isNew ? "created" : "updated"}
        />{" "}
        <Time value={record.updateTime} />
      </span>
    </li>
  );
}
