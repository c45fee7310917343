import { isUid, parentOf } from "platform-contract/aip";

import { COLLECTIONS, type Collection } from "../../snapshots/format";
import type { UidOfCreated } from "../planned";
import { segmentOf, StateProblem, type State, type StateRow } from "../state";
import { isUidOf, joined, nameIn, ORDER, slot, type Target } from "./names";
import type { Reality } from "./reality";

/** A record of the state. */
export interface Node {
  readonly collection: Collection;
  readonly row: StateRow;
  readonly parent: Target;
  readonly path: string;
  readonly target: Target;
}

/** Which record of the reality each one of the state is: by uid, else by kind, group and name. */
export class Matches {
  readonly nodes: Node[] = [];
  readonly byUid = new Map<string, Node>();
  /** Records of the reality that are in the state. */
  readonly claimed = new Set<string>();
  readonly #groups = new Map<string, Node>();
  readonly #refs = new Set<string>();

  /** Throws a StateProblem for a state without its own scope. */
  constructor(
    readonly state: State,
    readonly reality: Reality,
    /** uid of the group that the reality is of. */
    readonly scope: string,
  ) {
    for (const collection of COLLECTIONS)
      for (const { uid } of state.records[collection])
        if (uid !== undefined && this.#isThere(collection, uid)) this.claimed.add(uid);
    if (!state.records.groups.some(({ uid }) => uid === state.scope.uid))
      throw new StateProblem(`The state doesn't have its own scope, ${state.scope.name}: files are missing.`);
  }

  #isThere(collection: Collection, uid: string | undefined): uid is string {
    return uid !== undefined && this.reality.byUid.get(uid)?.collection === collection;
  }

  #refTo(collection: Collection, path: string): UidOfCreated {
    const ref = `create ${collection} ${path}`;
    if (this.#refs.has(ref)) throw new StateProblem(`The state has two ${collection} ${path}.`);
    this.#refs.add(ref);
    return { ref };
  }

  #add(node: Node): Node {
    this.nodes.push(node);
    if (node.row.uid !== undefined) this.byUid.set(node.row.uid, node);
    if (node.collection === "groups") this.#groups.set(node.path, node);
    return node;
  }

  /** Takes a record of the state into account; `place` is its slot in the reality, if that has its group. */
  match(node: Omit<Node, "target">, uid: string | undefined, place: string | undefined): Node {
    const { collection, path } = node;
    if (this.#isThere(collection, uid)) return this.#add({ ...node, target: { uid } });
    const found = place === undefined ? undefined : this.reality.bySlot.get(place);
    if (!found || this.claimed.has(found.uid))
      return this.#add({ ...node, target: this.#refTo(collection, path) });
    this.claimed.add(found.uid);
    return this.#add({ ...node, target: { uid: found.uid } });
  }

  /** The group that a record is in; undefined if nothing is known of it (yet). */
  groupOf({ uid, parent }: StateRow): { readonly target: Target; readonly path: string } | undefined {
    const given = parent ?? parentOf(uid ?? "");
    const node = isUid(given) ? this.byUid.get(given) : this.#groups.get(given);
    if (node) return { target: node.target, path: node.path };
    return isUid(given) && this.#isThere("groups", given)
      ? { target: { uid: given }, path: this.reality.pathOf(given) }
      : undefined;
  }

  #matchIn(above: { target: Target; path: string }, collection: Collection, row: StateRow): void {
    const name = nameIn(collection, row);
    const place = isUidOf(above.target) ? slot(collection, above.target.uid, name) : undefined;
    this.match({ collection, row, parent: above.target, path: joined(above.path, name) }, row.uid, place);
  }

  /** Groups, each after the one that it is in. Throws a StateProblem. */
  matchGroups(): void {
    let left = this.state.records.groups;
    while (left.length > 0) {
      const waiting: StateRow[] = [];
      for (const row of left) {
        const above = this.groupOf(row);
        if (row.uid === this.state.scope.uid) this.#matchScope(row);
        else if (above) this.#matchIn(above, "groups", row);
        else waiting.push(row);
      }
      if (waiting.length === left.length) {
        const [{ uid, parent } = {}] = waiting;
        throw new StateProblem(`The group of ${parent ?? uid} isn't in the state.`);
      }
      left = waiting;
    }
  }

  #matchScope(row: StateRow): void {
    const path = segmentOf(nameIn("groups", row));
    const isThere = this.reality.byUid.has(this.scope);
    const target = isThere ? { uid: this.scope } : this.#refTo("groups", path);
    if (isThere) this.claimed.add(this.scope);
    this.#add({ collection: "groups", row, parent: { uid: parentOf(this.scope) }, path, target });
  }

  /** What is in groups, but for role bindings. Throws a StateProblem. */
  matchInside(compared: readonly Collection[]): void {
    for (const collection of ORDER) {
      if (collection === "groups" || collection === "roleBindings" || !compared.includes(collection))
        continue;
      for (const row of this.state.records[collection]) {
        const name = nameIn(collection, row);
        // People and built-in roles are in no group.
        if (row.uid !== undefined && parentOf(row.uid) === "") {
          const target = { uid: row.uid };
          this.#add({ collection, row, parent: { uid: "" }, path: segmentOf(name), target });
          continue;
        }
        const above = this.groupOf(row);
        if (!above)
          throw new StateProblem(`The group of ${collection} ${row.uid ?? name} isn't in the state.`);
        this.#matchIn(above, collection, row);
      }
    }
  }
}
