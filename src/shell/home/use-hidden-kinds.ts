import { useQueries } from "@tanstack/react-query";

import { isUntold } from "~/frame/permissions/rules";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { neededText } from "~/frame/permissions/permission-text";
import { canProbe, hiddenQuery } from "~/frame/permissions/probe";
import { useRefusal } from "~/frame/permissions/use-can";
import { useTopGroups } from "~/frame/scope/top-groups";

import { HELD } from "./holdings";
import { useNewest } from "./use-newest";

/** What the user's role hides in a scope. */
export interface HiddenKinds {
  /** The missing capability of each hidden kind, by collection. */
  readonly missing: ReadonlyMap<string, string>;
  /** Kinds with no record to see, and no answer yet whether that is because they are hidden. */
  readonly asking: ReadonlySet<string>;
}

/** "Hidden by your role: needs permission to view identities (identity.list)". */
export const hiddenText = (capability: string): string =>
  `Hidden by your role: needs permission to ${neededText(capability)}`;

/** Which kinds are hidden: by the user's bindings, else by asking about those of which the service showed no record. */
export function useHiddenKinds(group: string | undefined): HiddenKinds {
  const who = useCurrentUser();
  const isAsking = who.state === "loading";
  const refusal = useRefusal();
  const { organizations, folders } = useTopGroups();
  const groups = group === undefined ? [...organizations, ...folders].map(({ uid }) => uid) : [group];
  const newest = useNewest(HELD, group);
  const kinds = newest.map(({ held: { kind, list }, total }) => {
    const capability = list.access.needs[0];
    const refused = refusal(list, group) !== undefined;
    const unclear = !refused && (isAsking || isUntold(who, group)) && Number(total ?? 1) === 0;
    return { collection: kind.collection, capability, refused, unclear };
  });
  const answers = useQueries({
    queries: kinds.map(({ capability, unclear }) => ({
      ...hiddenQuery(capability, groups),
      enabled: unclear && !isAsking && groups.length > 0 && capability !== undefined && canProbe(capability),
    })),
  });
  const hidden = kinds.filter(({ refused, unclear }, index) => refused || (unclear && answers[index]?.data));
  const asking = kinds.filter(({ unclear }, index) => unclear && (isAsking || answers[index]?.isLoading));
  return {
    missing: new Map(hidden.map(({ collection, capability = "" }) => [collection, capability])),
    asking: new Set(asking.map(({ collection }) => collection)),
  };
}
