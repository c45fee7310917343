import { by } from "platform-contract/order";

import { COLLECTIONS, type Contents } from "../snapshots/format";
import { digestOf } from "./digest";
import { managing } from "./manage";
import { matchBindings } from "./match/bindings";
import { ORDER } from "./match/names";
import { lookUp } from "./match/reality";
import { Matches } from "./match/records";
import type { PlanFile } from "./plan-file";
import type { LeftAlone, Planned } from "./planned";
import type { State } from "./state";
import { deletesOf } from "./steps/deletes";
import { inDependencyOrder } from "./steps/order";
import { tagsSaid } from "./steps/tags";
import { writesOf } from "./steps/writes";

const ANEW =
  "it isn't there, or you can't see it: the plan makes it anew, and whoever does that is its owner at first";

interface Facts {
  readonly state: State;
  /** Without its own scope, if that isn't there. */
  readonly reality: Contents;
  /** uid of the group that the reality is of. */
  readonly scope: string;
  /** Patterns of what is managed; without any, everything is. */
  readonly manage?: readonly string[];
}

/**
 * What would make the reality as the state says: pure, and the same for the same input. Records are matched by uid, else by
 * kind, group and name. Throws a StateProblem.
 */
export function makePlan({ state, reality, scope, manage = [] }: Facts): Planned {
  const isManaged = managing(manage);
  const whyNot = (kind: (typeof COLLECTIONS)[number]): string | undefined =>
    state.without.includes(kind) ? "the state has none of them" : reality.missing[kind];
  const compared = ORDER.filter((kind) => whyNot(kind) === undefined);
  const notCompared = COLLECTIONS.flatMap((collection): LeftAlone[] => {
    const why = collection === "tags" ? undefined : whyNot(collection);
    return why === undefined ? [] : [{ collection, path: "", why: `not compared: ${why}` }];
  });

  const { records } = reality;
  const matches = new Matches(state, lookUp(reality, scope), scope);
  matches.matchGroups();
  matches.matchInside(compared);
  const bindings = compared.includes("roleBindings")
    ? matchBindings(matches, records.roleBindings)
    : { grants: new Map(), said: [] };
  const { grants } = bindings;
  const writes = writesOf({ matches, grants, compared, isManaged });
  const deletes = deletesOf({ matches, records, compared, writes: writes.steps, isManaged });
  const { sorted, stuck } = inDependencyOrder([
    ...writes.steps.filter(({ how }) => how === "create"),
    ...writes.steps.filter(({ how }) => how === "update"),
    ...deletes.steps,
  ]);
  const circular = stuck.map(({ collection, path }): LeftAlone => {
    const why = "names are swapped in a circle: give one of them a third name first";
    return { collection, path, why };
  });
  const absent = matches.nodes
    .filter(({ row }) => row.uid === state.scope.uid && !matches.claimed.has(scope))
    .map(({ collection, path }): LeftAlone => ({ collection, path, why: ANEW }));
  const said = [
    ...notCompared,
    ...absent,
    ...bindings.said,
    ...writes.said,
    ...deletes.said,
    ...(whyNot("tags") === undefined ? tagsSaid(matches, records.tags, isManaged) : []),
    ...circular,
  ];
  return {
    steps: sorted,
    said: said.toSorted(
      by(
        ({ collection }) => COLLECTIONS.indexOf(collection),
        ({ path }) => path,
        ({ why }) => why,
      ),
    ),
  };
}

/** A plan with what it was made from. Rejects with a StateProblem. */
export const planFileOf = async ({
  state,
  reality,
  service,
  manage = [],
}: {
  readonly state: State;
  readonly reality: Contents & Pick<PlanFile, "scope">;
  readonly service: string;
  readonly manage?: readonly string[];
}): Promise<PlanFile> => ({
  format: "platform-plan",
  version: 1,
  scope: reality.scope,
  service,
  manage,
  state: await digestOf(state.records),
  reality: await digestOf(reality.records),
  ...makePlan({ state, reality, scope: reality.scope.uid, manage }),
});
