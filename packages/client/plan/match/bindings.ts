import { isBelow, parentOf } from "platform-contract/aip";

import { textAt, type SnapshotRow } from "../../snapshots/format";
import type { LeftAlone } from "../planned";
import { StateProblem, type StateRow } from "../state";
import { isUidOf, joined, keyOf, nameIn, saidOf, slotOfBinding, type Target } from "./names";
import type { Matches, Node } from "./records";

/** Whom a binding gives which role. */
export interface Meant {
  readonly identityUid: Target;
  readonly roleUid: Target;
}

const OF = { identity: "identities", role: "roles" } as const;

/** Identities and roles by the names that a binding can give, with their paths. */
function namesIn(
  { nodes, byUid }: Matches,
  bindings: readonly SnapshotRow[],
): (key: string) => readonly { path: string; target: Target }[] {
  const named = new Map<string, { path: string; target: Target }[]>();
  const add = (node: Pick<Node, "collection" | "path" | "target">, row: unknown) => {
    for (const name of new Set([textAt(row, "name"), textAt(row, "email")])) {
      const key = JSON.stringify([node.collection, name]);
      if (name !== "") named.set(key, [...(named.get(key) ?? []), node]);
    }
  };
  for (const node of nodes) add(node, node.row);
  // People and built-in roles that the state does not list.
  for (const binding of bindings)
    for (const what of ["identity", "role"] as const) {
      const { uid } = saidOf(binding, what);
      if (uid !== "" && parentOf(uid) === "" && !byUid.has(uid))
        add({ collection: OF[what], path: "", target: { uid } }, binding[what]);
    }
  return (key) => named.get(key) ?? [];
}

/**
 * Matches the bindings of the state, whose identity and role are given by uid or by name: the nearest one of that name, from the
 * binding's group up. `said` has those that mean no record. Throws a StateProblem.
 */
export function matchBindings(
  matches: Matches,
  bindings: readonly SnapshotRow[],
): { readonly grants: ReadonlyMap<Node, Meant>; readonly said: readonly LeftAlone[] } {
  const { state, reality, byUid } = matches;
  const named = namesIn(matches, bindings);
  const lookedUp = (what: "identity" | "role", row: StateRow, at: string): Target | string => {
    const { uid, name } = saidOf(row, what);
    if (uid !== "") {
      const node = byUid.get(uid);
      if (node) return node.target;
      if (parentOf(uid) === "" || reality.byUid.has(uid) || !isBelow(uid, state.scope.uid)) return { uid };
      return `its ${what} ${uid} is neither in the state nor there`;
    }
    if (name === "") return `it has no ${what}Uid, and no ${what} with a name`;
    const all = named(JSON.stringify([OF[what], name]));
    const inReach = all.filter(({ path }) => {
      const group = path.slice(0, Math.max(0, path.lastIndexOf("/")));
      return group === "" || at === group || at.startsWith(`${group}/`);
    });
    const nearest = inReach.toSorted((one, other) => other.path.length - one.path.length);
    const targets = new Map(
      (nearest.length > 0 ? nearest.filter(({ path }) => path === nearest[0]?.path) : all).map(
        ({ target }) => [keyOf(target), target],
      ),
    );
    const [only] = targets.values();
    if (targets.size === 1 && only) return only;
    return targets.size === 0
      ? `there is no ${what} ${JSON.stringify(name)} in the state: write ${what}Uid`
      : `there are several of the name ${JSON.stringify(name)}: write ${what}Uid`;
  };
  const grants = new Map<Node, Meant>();
  const said: LeftAlone[] = [];
  for (const row of state.records.roleBindings) {
    const above = matches.groupOf(row);
    const path = joined(above?.path ?? "", nameIn("roleBindings", row));
    if (!above) throw new StateProblem(`The group of roleBindings ${path} isn't in the state.`);
    const [identityUid, roleUid] = [lookedUp("identity", row, above.path), lookedUp("role", row, above.path)];
    const trouble = [identityUid, roleUid].find((one) => typeof one === "string");
    if (typeof identityUid === "string" || typeof roleUid === "string") {
      said.push({ collection: "roleBindings", path, why: String(trouble) });
      continue;
    }
    const place =
      isUidOf(above.target) && isUidOf(identityUid) && isUidOf(roleUid)
        ? slotOfBinding(above.target.uid, identityUid.uid, roleUid.uid)
        : undefined;
    const own = row.uid !== undefined && reality.byUid.has(row.uid) ? row.uid : undefined;
    const node = matches.match({ collection: "roleBindings", row, parent: above.target, path }, own, place);
    grants.set(node, { identityUid, roleUid });
  }
  return { grants, said };
}
