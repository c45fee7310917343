import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { rowsOf } from "~/api/queries/queries";
import { Dash } from "~/ui/display/dash";
import { FailedPart } from "~/ui/feedback/failed-part";
import { AppLink } from "~/ui/layout/link";
import { formatCount } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { groupPage } from "~/frame/scope/group-link";
import { useListLink } from "~/frame/list/list-link";
import { levelQuery } from "~/frame/group-tree/levels";

import classes from "./styles.module.css";
import { nameOf } from "~/frame/scope/group-words";

const SHOWN = 10;

/** Shows the first folders of a group, sharing the tree's request. Links to the full list. */
export function GroupChildren({ uid }: { readonly uid: string }): ReactNode {
  const { data, error, hasNextPage, refetch } = useInfiniteQuery(levelQuery(uid));
  const { rows, total } = rowsOf(data);
  const all = useListLink()("groups", uid, "here");
  const more = rows.length > SHOWN || hasNextPage;
  return (
    <Section
      title="Folders"
      count={total}
      actions={
        more && all ? (
          <AppLink target={all}>
            {total === undefined ? "Show all" : `Show all ${formatCount(total)}`}
          </AppLink>
        ) : null
      }
    >
      {error && !data ? (
        <FailedPart title="The folders couldn't be loaded" error={error} onRetry={refetch} />
      ) : !data ? (
        <p className={classes["counting"]}>Loading…</p>
      ) : rows.length === 0 ? (
        <p className={classes["counting"]}>No subfolders</p>
      ) : (
        <table className={classes["children"]}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Description</th>
              <th scope="col">Created</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, SHOWN).map(({ uid: child, name, description, createTime }) => (
              <tr key={child}>
                <th scope="row">
                  <AppLink target={groupPage(child)} dir="auto">
                    {nameOf({ uid: child, name })}
                  </AppLink>
                </th>
                <td>{description ? <bdi>{description}</bdi> : <Dash />}</td>
                <td>
                  <Time value={createTime} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
