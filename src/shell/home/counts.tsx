import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { totalOf } from "~/api/client/wire";
import { wordsInside } from "platform-contract/kinds";
import { Tile, Tiles } from "~/ui/display/tiles";
import { capitalize } from "~/ui/display/capitalize";

import { HELD, listOf, newestQuery, type RecentKind } from "./holdings";
import { hiddenText, type HiddenKinds } from "./use-hidden-kinds";

interface CountsProps {
  /** uid; undefined for everything that the user can see. */
  readonly group: string | undefined;
  readonly hidden: HiddenKinds;
}

/** Counts of a scope including its subfolders, with links where a screen exists. */
export function Counts({ group, hidden }: CountsProps): ReactNode {
  return (
    <Tiles label="Including subfolders">
      {HELD.map((held) => (
        <Count key={held.kind.collection} held={held} group={group} hidden={hidden} />
      ))}
    </Tiles>
  );
}

function Count({ held, group, hidden }: CountsProps & { readonly held: RecentKind }): ReactNode {
  const { kind } = held;
  const { collection } = kind;
  const capability = hidden.missing.get(collection);
  const { data, isError } = useQuery({ ...newestQuery(held, group), enabled: capability === undefined });
  // The service also returns zero to a caller who may not list the kind.
  const total = data && !hidden.asking.has(collection) ? totalOf(data) : undefined;
  const words = group === undefined ? kind.plural : wordsInside(kind)[1];
  return (
    <Tile
      label={capitalize(words)}
      target={kind.screens ? listOf(collection, group) : undefined}
      count={total}
      missing={isError ? "not available" : data && !hidden.asking.has(collection) ? "not counted" : "loading"}
      note={held.note}
      hidden={capability && hiddenText(capability)}
    />
  );
}
