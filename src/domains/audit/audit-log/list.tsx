import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import type { AuditEntry } from "platform-contract/audit/entries";
import { accessOnDate, auditLogOf, entriesAbout } from "~/domains/audit/log/queries";
import { useHasAuditLog } from "~/domains/audit/log/use-audit-log";
import { actorWords, isDone } from "~/domains/audit/log/who";
import { recordWords } from "~/domains/audit/log/words";
import { paramToUid } from "~/frame/scope/uid-param";
import { ListFilters } from "~/frame/list/list-filters";
import { ListPage, ListRows, useListScreen } from "~/frame/list/list-screen";
import "~/ui/controls/button-styles";
import { shorten } from "~/ui/display/shorten";
import { Time } from "~/ui/display/time";
import { NothingYet } from "~/ui/feedback/empty";
import { AppLink } from "~/ui/layout/link";
import type { MenuAction } from "~/ui/overlay/menu";

import { columns, Outcome } from "./columns";
import { auditScreens } from "./data";
import { ActionFilter, ActorFilter } from "./filter-controls";
import { NoAuditLog } from "./no-audit-log";

/** Lists who did what, newest first. */
export const AuditList = (): ReactNode => (useHasAuditLog() ? <List /> : <NoAuditLog />);

function List(): ReactNode {
  const list = useListScreen(auditScreens);
  const { search, scope, filter } = list;
  const record = search["record"];
  const known = list.rows.paged.rows.find(
    (entry) => record !== undefined && entry.record?.uid === paramToUid(record),
  );
  const name = known && recordWords(known);
  return (
    <ListPage
      list={list}
      title="Audit log"
      about="audit log"
      description="Who did what: changes, refused changes, sign-ins. Reads aren't recorded."
      actions={
        <Button variant="default" component={AppLink} target={accessOnDate({ group: scope.group })}>
          Access on a date
        </Button>
      }
    >
      <ListFilters
        list={list}
        columns={columns}
        controls={{
          actor: (
            <ActorFilter
              value={search["actor"]}
              group={scope.group}
              onChange={(actor) => filter({ actor })}
            />
          ),
          action: <ActionFilter value={search["action"]} onChange={(action) => filter({ action })} />,
          record: null,
        }}
        chips={
          record === undefined
            ? []
            : [
                {
                  label: "Record",
                  value: name || shorten(paramToUid(record)),
                  onRemove: () => filter({ record: undefined }),
                },
              ]
        }
      />
      <ListRows
        list={list}
        columns={columns}
        summary={(entry) => (
          <bdi>
            {[...new Set([recordWords(entry), actorWords(entry), entry.justification])]
              .filter(Boolean)
              .join(" \u00b7 ")}
          </bdi>
        )}
        aside={(entry) => (isDone(entry) ? <Time value={entry.createTime} /> : <Outcome of={entry} />)}
        actions={linksOf}
        because="The audit log tells who got which role"
      >
        <NothingYet title="Nothing in the log yet">
          Changes, refused changes and sign-ins appear here.
        </NothingYet>
      </ListRows>
    </ListPage>
  );
}

/** Links to what else an entry's actor did, and what else happened to its record. */
export const linksOf = ({ actor, record }: AuditEntry): MenuAction[] => [
  ...(actor?.uid ? [{ label: "Other entries by this actor", link: auditLogOf({ actor: actor.uid }) }] : []),
  ...(record?.uid
    ? [
        {
          label: "Other entries of this record",
          link: entriesAbout({ collection: record.kind, uid: record.uid }),
        },
      ]
    : []),
];
