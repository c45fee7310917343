import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { total } from "~/api/queries/queries";
import { useGroup } from "~/frame/scope/group-ancestry";
import { useSight } from "~/frame/scope/use-sight";
import { repos } from "platform-contract/registry/repos";
import { formatCount } from "~/ui/display/numbers";
import { shorten } from "~/ui/display/shorten";

import classes from "./styles.module.css";

interface AppliesToProps {
  /** uid of the group where a role is granted; "" until one is chosen. */
  readonly group: string;
  /** What applies, at the start of a sentence. */
  readonly what?: string;
}

/** Which repos a role covers that is granted in a group; nothing if that is one repo, or none. */
export function AppliesTo({ group, what = "The role" }: AppliesToProps): ReactNode {
  const { data, isPending } = useQuery({
    ...total(repos.list, { "uidp.descendants_of": group }),
    enabled: group !== "",
  });
  const sight = useSight(repos.list, group, Number(data ?? 0) === 0);
  const { group: place, error } = useGroup(group || undefined);
  if (
    group === "" ||
    (!place && !error) ||
    sight.state === "asking" ||
    (isPending && sight.state !== "hidden")
  )
    return null;
  const count = sight.state === "seen" ? data : undefined;
  if (count !== undefined && !sight.partial && Number(count) < 2) return null;
  const every = count === undefined || sight.partial;
  return (
    <p className={classes["note"]}>
      {what} applies to {every ? "every repo" : `all ${formatCount(count)} repos`} in{" "}
      <bdi>{place?.name ?? shorten(group)}</bdi> and below
      {every && Number(count ?? 0) > 1 ? `, at least ${formatCount(count ?? 0)}` : ""}.
    </p>
  );
}
