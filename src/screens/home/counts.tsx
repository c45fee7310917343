import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCurrentUser } from "~/access/current-user";
import { useCan } from "~/access/use-can";
import { totalOf } from "~/api/client/read-response";
import { wordsInside } from "~/contract/kinds";
import { Dash } from "~/ui/display/dash";
import { formatCount } from "~/ui/display/numbers";
import { Tile, Tiles } from "~/ui/display/tiles";
import { capitalize } from "~/resource/define";

import { HELD, listOf, newestQuery, type HeldKind } from "./holdings";

interface CountsProps {
  /** uid; undefined for everything that the user can see. */
  readonly group: string | undefined;
}

/** Counts of a scope including its subfolders, with links where a screen exists. */
export function Counts({ group }: CountsProps): ReactNode {
  return (
    <Tiles label="Including subfolders">
      {HELD.map((held) => (
        <Count key={held.kind.collection} held={held} group={group} />
      ))}
    </Tiles>
  );
}

function Count({ held, group }: CountsProps & { readonly held: HeldKind }): ReactNode {
  const { kind, list } = held;
  const { allowed } = useCan(list, group);
  const { state } = useCurrentUser();
  const { data, isError } = useQuery({ ...newestQuery(held, group), enabled: allowed });
  const total = data && totalOf(data);
  // The service also returns zero to a caller who may not list the kind.
  const hidden = !allowed || (Number(total) === 0 && state !== "known");
  const missing = hidden
    ? "hidden by your role"
    : isError
      ? "not available"
      : data
        ? "not counted"
        : "loading";
  const words = group === undefined ? kind.plural : wordsInside(kind)[1];
  const label = capitalize(words);
  return (
    <Tile label={label} target={kind.screens ? listOf(kind.collection, group) : undefined}>
      {!hidden && total !== undefined ? formatCount(total) : <Dash label={missing} />}
    </Tile>
  );
}
