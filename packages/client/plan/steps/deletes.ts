import { depthOf, isBelow, parentOf } from "platform-contract/aip";
import { by } from "platform-contract/order";

import type { Collection, Contents } from "../../snapshots/format";
import { ORDER, saidOf } from "../match/names";
import type { Matches } from "../match/records";
import type { LeftAlone, PlanStep } from "../planned";

interface Facts {
  readonly matches: Matches;
  readonly records: Contents["records"];
  readonly compared: readonly Collection[];
  /** What creates and changes records. */
  readonly writes: readonly PlanStep[];
  isManaged(collection: Collection, path: string): boolean;
}

/** What is not in the state goes, in the order of the teardown. */
export function deletesOf({ matches, records, compared, writes, isManaged }: Facts): {
  readonly steps: readonly PlanStep[];
  readonly said: readonly LeftAlone[];
} {
  const { reality, claimed, scope } = matches;
  const said: LeftAlone[] = [];
  const gone = new Map<string, { collection: Collection; path: string }>();
  const isKept = (uid: string): boolean => !gone.has(uid) && reality.byUid.get(uid)?.collection !== "tags";
  for (const collection of ORDER.toReversed()) {
    if (!compared.includes(collection)) continue;
    const rows = records[collection]
      .filter(({ uid }) => !claimed.has(uid) && uid !== scope && parentOf(uid) !== "")
      .toSorted(
        by(
          ({ uid }) => (collection === "groups" ? -depthOf(uid) : 0),
          ({ uid }) => reality.pathOf(uid),
          ({ uid }) => uid,
        ),
      );
    for (const { uid } of rows) {
      const path = reality.pathOf(uid);
      if (!isManaged(collection, path)) continue;
      const kept =
        collection === "groups" &&
        [...reality.byUid.keys()].some((other) => isBelow(other, uid) && isKept(other));
      if (kept) said.push({ collection, path, why: "it stays, since something in it is left alone" });
      else gone.set(uid, { collection, path });
    }
  }
  const referring = (uid: string): string[] =>
    records.roleBindings.flatMap((row) => {
      if (![saidOf(row, "identity").uid, saidOf(row, "role").uid].includes(uid)) return [];
      if (gone.has(row.uid)) return [`delete roleBindings ${row.uid}`];
      return writes.filter((step) => step.uid === row.uid).map(({ id }) => id);
    });
  const steps = [...gone].map(([uid, { collection, path }]): PlanStep => {
    const inside = collection === "groups" ? [...gone].filter(([other]) => parentOf(other) === uid) : [];
    const needs = [
      ...inside.map(([other, facts]) => `delete ${facts.collection} ${other}`),
      ...(collection === "roles" || collection === "identities" ? referring(uid) : []),
    ];
    return { id: `delete ${collection} ${uid}`, how: "delete", collection, path, uid, fields: [], needs };
  });
  return { steps, said };
}
