import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCan } from "~/frame/permissions/use-can";
import { call } from "~/api/client/client";
import { limiter } from "~/api/paging/limiter";
import { totalOf } from "~/api/client/wire";
import { tags } from "platform-contract/registry/tags";
import { Dash } from "~/ui/display/dash";
import { LoadingCell, UnknownCell } from "~/ui/table/cell-states";
import { errorFacts } from "~/ui/feedback/error-facts";
import { AppLink } from "~/ui/layout/link";
import { formatCount } from "~/ui/display/numbers";
import { shorten } from "~/ui/display/shorten";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";
import { repoTags, tagPage } from "~/domains/registry/references/repo-links";
import { useSettled } from "~/ui/use-settled";

import { TAGS_OF_ROWS } from "./data";
import classes from "./styles.module.css";

/** Shared by all rows: many can be in view, and the list's own pages have priority. */
const limited = limiter(4);

/** Requests the number of tags and the most recently updated one, among those that the tag list shows by default. */
function tagsQuery(uid: string) {
  const query = { "uidp.children_of": uid, order_by: "updated_at desc", page_size: 1 };
  return queryOptions({
    queryKey: [...TAGS_OF_ROWS, uid] as const,
    meta: { requests: () => [{ endpoint: tags.list, query }] },
    queryFn: ({ signal }) => limited(() => call(tags.list, { query, signal }), signal),
  });
}

interface TagsCellProps {
  readonly repo: string;
  readonly show: "count" | "latest";
}

/** A repo's tags in its row. An error affects only the cell: it shows a dash that explains it. */
export function TagsCell({ repo, show }: TagsCellProps): ReactNode {
  // An unscoped list returns no rows for what the user may not see, which is not a count.
  const { allowed, reason } = useCan(tags.list, repo);
  const settled = useSettled();
  const { data, error } = useQuery({ ...tagsQuery(repo), enabled: settled && allowed });
  if (!allowed) return <UnknownCell why={reason} />;
  if (!data) return error ? <UnknownCell why={errorFacts(error).message} /> : <LoadingCell />;
  if (show === "count") {
    const count = totalOf(data);
    if (count === undefined) return <UnknownCell why="The registry doesn't count them" />;
    return (
      <AppLink
        target={repoTags(repo)}
        className={classes["quietly"]}
        data-tip="Without dated tags, build tags and signatures"
      >
        {formatCount(count)}
        <VisuallyHidden>{Number(count) === 1 ? " tag" : " tags"}</VisuallyHidden>
      </AppLink>
    );
  }
  const [latest] = data.items;
  if (!latest) return <Dash label="no tags" />;
  return (
    <AppLink target={tagPage(latest.uid)} className={classes["quietly"]}>
      <code>{latest.name || shorten(latest.uid)}</code>
    </AppLink>
  );
}
