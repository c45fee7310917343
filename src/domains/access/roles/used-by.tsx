import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { neededText } from "~/frame/permissions/permission-text";
import { call } from "~/api/client/client";
import { limiter } from "~/api/paging/limiter";
import { totalOf } from "platform-client/wire";
import { parentOf } from "platform-contract/aip";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { useSight } from "~/frame/scope/use-sight";
import { useSettled } from "~/ui/use-settled";
import { formatCount } from "~/ui/display/numbers";
import { LoadingCell, UnknownCell } from "~/ui/table/cell-states";
import { errorFacts } from "~/ui/feedback/error-facts";
import { AppLink } from "~/ui/layout/link";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import { bindingsOf, HOLDERS_OF_ROWS } from "./data";
import classes from "./styles.module.css";

/** Shared by all rows: many can be in view, and the list's own pages have priority. */
const limited = limiter(4);

function countQuery(role: string) {
  const query = { role, page_size: 1 };
  return queryOptions({
    queryKey: [...HOLDERS_OF_ROWS, role] as const,
    meta: { requests: () => [{ endpoint: roleBindings.list, query }] },
    queryFn: ({ signal }) => limited(() => call(roleBindings.list, { query, signal }), signal),
    select: totalOf,
  });
}

interface UsedByProps {
  /** uid of the role. */
  readonly role: string;
  /** Adds a label for the count, for places without a column header. */
  readonly words?: boolean;
}

/** Counts the bindings of a role, with a link. An error affects only the cell: it shows a dash that explains it. */
export function UsedBy({ role, words = false }: UsedByProps): ReactNode {
  const settled = useSettled();
  const { data: count, error, isPending } = useQuery({ ...countQuery(role), enabled: settled });
  // An unscoped list returns no rows for what the user may not see, which is not a count.
  const sight = useSight(roleBindings.list, parentOf(role) || undefined, settled && Number(count ?? 0) === 0);
  if (sight.state === "hidden")
    return (
      <UnknownCell why={`Hidden by your role: needs permission to ${neededText(sight.capability ?? "")}`} />
    );
  if (error) return <UnknownCell why={errorFacts(error).message} />;
  if (isPending || sight.state === "asking") return <LoadingCell />;
  if (count === undefined || sight.state === "unsure")
    return <UnknownCell why="Your role might not show all of them" />;
  const what = Number(count) === 1 ? " role binding" : " role bindings";
  const seen = `${what}${sight.partial ? " that you can see" : ""}`;
  return (
    <span data-tip={sight.partial && !words ? `${formatCount(count)}${seen}` : undefined}>
      <AppLink target={bindingsOf(role)} className={classes["quietly"]}>
        {sight.partial && !words ? "≥ " : ""}
        {formatCount(count)}
        {words ? seen : <VisuallyHidden>{seen}</VisuallyHidden>}
      </AppLink>
    </span>
  );
}
