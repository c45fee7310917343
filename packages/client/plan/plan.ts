import { depthOf, isBelow, isUid, parentOf } from "platform-contract/aip";
import { kinds } from "platform-contract/kinds";
import { by } from "platform-contract/order";
import { isBlank, sameValue } from "platform-contract/values";

import { fieldsBetween, plain, type SnapshotFieldChange } from "../snapshots/fields";
import { inOrder } from "../snapshots/file";
import { COLLECTIONS, textAt, type Collection, type Contents, type SnapshotRow } from "../snapshots/format";
import { managing } from "./manage";
import { settableOf } from "./settable";
import { segmentOf, StateProblem, type State, type StateRow } from "./state";
import { inDependencyOrder } from "./steps";

/** The uid that a record will have once the step with this id has created it. */
export interface UidOfCreated {
  readonly ref: string;
}
/** Which record is meant: by its uid, or one that the plan creates. */
type Target = { readonly uid: string } | UidOfCreated;

export interface PlanStep {
  /** `create identities acme/runtime/ci`; unique in a plan. */
  readonly id: string;
  readonly how: "create" | "update" | "delete";
  readonly collection: Collection;
  /** By names, from the scope. */
  readonly path: string;
  /** Of a record that exists. */
  readonly uid?: string;
  /** Of one that is created: the uid of its group, "" for an organization. */
  readonly parent?: string | UidOfCreated;
  /** What differs; references stand for uids that are not known yet. */
  readonly fields: readonly SnapshotFieldChange[];
  /** What is sent, once references are replaced. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The fields that an update changes. */
  readonly mask?: readonly string[];
  /** Steps that have to be done before. */
  readonly needs: readonly string[];
}

/** A difference that a plan does nothing about. */
export interface LeftAlone {
  readonly collection: Collection;
  readonly path: string;
  readonly why: string;
}

export interface Planned {
  /** In the order in which they can be carried out. */
  readonly steps: readonly PlanStep[];
  readonly said: readonly LeftAlone[];
}

interface Facts {
  readonly state: State;
  readonly reality: Contents;
  /** uid of the group that the reality is of. */
  readonly scope: string;
  /** Patterns of what is managed; without any, everything is. */
  readonly manage?: readonly string[];
}

/** A record of the state. */
interface Node {
  readonly collection: Collection;
  readonly row: StateRow;
  readonly parent: Target;
  readonly path: string;
  target: Target;
}

/** Kinds that are planned, those that others refer to first: the order of creating them, and of deleting them backwards. */
const ORDER = kinds
  .map(({ collection }) => collection as Collection)
  .filter((collection) => collection !== "tags" && COLLECTIONS.includes(collection));

const isUidOf = (target: Target): target is { readonly uid: string } => "uid" in target;
const keyOf = (target: Target): string => (isUidOf(target) ? target.uid : target.ref);
const valueOf = (target: Target): string | UidOfCreated => (isUidOf(target) ? target.uid : target);
const slot = (collection: Collection, parent: string, name: string): string =>
  JSON.stringify([collection, parent, name]);
const joined = (above: string, name: string): string =>
  above === "" ? segmentOf(name) : `${above}/${segmentOf(name)}`;

/** What a binding says of its identity or role. */
const saidOf = (row: Readonly<Record<string, unknown>>, what: "identity" | "role") => ({
  uid: textAt(row, `${what}Uid`) || textAt(row[what], "uid"),
  name: textAt(row[what], "email") || textAt(row[what], "name"),
});

/** What a record is called in its group. */
const nameIn = (collection: Collection, row: Readonly<Record<string, unknown>>): string =>
  collection === "roleBindings"
    ? `${saidOf(row, "identity").name || saidOf(row, "identity").uid}, ${saidOf(row, "role").name || saidOf(row, "role").uid}`
    : textAt(row, "name") || textAt(row, "email");

const isNothing = (value: unknown): boolean =>
  isBlank(value) || value === false || (typeof value === "string" && value.endsWith("_UNSPECIFIED"));
const isSame = (before: unknown, after: unknown): boolean =>
  (isNothing(before) && isNothing(after)) || sameValue(before, after);

/**
 * What would make the reality as the state says: pure, and the same for the same input. Records are matched by uid, else by
 * kind, group and name. Throws a StateProblem.
 */
export function makePlan({ state, reality, scope, manage = [] }: Facts): Planned {
  const said: LeftAlone[] = [];
  const isManaged = managing(manage);
  const compared = ORDER.filter(
    (kind) => !state.without.includes(kind) && reality.missing[kind] === undefined,
  );
  for (const collection of COLLECTIONS) {
    if (compared.includes(collection) || collection === "tags") continue;
    const why = state.without.includes(collection)
      ? "the state has none of them"
      : reality.missing[collection];
    said.push({ collection, path: "", why: `not compared: ${why}` });
  }

  // The reality.
  const real = new Map<string, { readonly collection: Collection; readonly row: SnapshotRow }>();
  for (const collection of COLLECTIONS)
    for (const row of reality.records[collection]) real.set(row.uid, { collection, row });
  const paths = new Map<string, string>();
  const realPath = (uid: string): string => {
    const known = paths.get(uid);
    if (known !== undefined) return known;
    const found = real.get(uid);
    const path = found
      ? joined(
          uid === scope ? "" : realPath(parentOf(uid)),
          nameIn(found.collection, found.row) || uid.slice(-16),
        )
      : "";
    paths.set(uid, path);
    return path;
  };
  const bySlot = new Map<string, SnapshotRow>();
  const slotOfBinding = (parent: string, identity: string, role: string) =>
    slot("roleBindings", parent, JSON.stringify([identity, role]));
  for (const [uid, { collection, row }] of real)
    bySlot.set(
      collection === "roleBindings"
        ? slotOfBinding(parentOf(uid), saidOf(row, "identity").uid, saidOf(row, "role").uid)
        : slot(collection, parentOf(uid), nameIn(collection, row)),
      row,
    );

  // The state: groups first, each after the one that it is in.
  const claimed = new Set<string>();
  for (const collection of COLLECTIONS)
    for (const { uid } of state.records[collection])
      if (uid !== undefined && real.get(uid)?.collection === collection) claimed.add(uid);
  if (!state.records.groups.some(({ uid }) => uid === state.scope.uid))
    throw new StateProblem(`The state doesn't have its own scope, ${state.scope.name}: files are missing.`);
  const nodes: Node[] = [];
  const byUid = new Map<string, Node>();
  const byPath = new Map<string, Node>();
  const refs = new Set<string>();
  const refTo = (collection: Collection, path: string): UidOfCreated => {
    const ref = `create ${collection} ${path}`;
    if (refs.has(ref)) throw new StateProblem(`The state has two ${collection} ${path}.`);
    refs.add(ref);
    return { ref };
  };
  const add = (node: Node): void => {
    nodes.push(node);
    if (node.row.uid !== undefined) byUid.set(node.row.uid, node);
    if (node.collection === "groups") byPath.set(node.path, node);
  };
  const matched = (
    collection: Collection,
    uid: string | undefined,
    key: string | undefined,
  ): Target | undefined => {
    if (uid !== undefined && real.get(uid)?.collection === collection) return { uid };
    const found = key === undefined ? undefined : bySlot.get(key);
    if (!found || claimed.has(found.uid)) return undefined;
    claimed.add(found.uid);
    return { uid: found.uid };
  };
  /** The group that a record is in; undefined if nothing is known of it (yet). */
  const parentIn = ({ uid, parent }: StateRow): { target: Target; path: string } | undefined => {
    const given = parent ?? parentOf(uid ?? "");
    const node = isUid(given) ? byUid.get(given) : byPath.get(given);
    if (node) return { target: node.target, path: node.path };
    if (isUid(given) && real.get(given)?.collection === "groups")
      return { target: { uid: given }, path: realPath(given) };
    return undefined;
  };
  let left = [...state.records.groups];
  while (left.length > 0) {
    const waiting: StateRow[] = [];
    for (const row of left) {
      const name = nameIn("groups", row);
      if (row.uid === state.scope.uid) {
        const path = segmentOf(name);
        const target = real.has(scope) ? { uid: scope } : refTo("groups", path);
        if (isUidOf(target)) claimed.add(scope);
        add({ collection: "groups", row, parent: { uid: parentOf(scope) }, path, target });
        continue;
      }
      const above = parentIn(row);
      if (!above) {
        waiting.push(row);
        continue;
      }
      const path = joined(above.path, name);
      const key = isUidOf(above.target) ? slot("groups", above.target.uid, name) : undefined;
      const target = matched("groups", row.uid, key) ?? refTo("groups", path);
      add({ collection: "groups", row, parent: above.target, path, target });
    }
    if (waiting.length === left.length) {
      const [{ uid, parent } = {}] = waiting;
      throw new StateProblem(`The group of ${parent ?? uid} isn't in the state.`);
    }
    left = waiting;
  }
  for (const collection of ORDER) {
    if (collection === "groups" || collection === "roleBindings" || !compared.includes(collection)) continue;
    for (const row of state.records[collection]) {
      const name = nameIn(collection, row);
      // People and built-in roles are in no group.
      if (row.uid !== undefined && parentOf(row.uid) === "") {
        add({ collection, row, parent: { uid: "" }, path: segmentOf(name), target: { uid: row.uid } });
        continue;
      }
      const above = parentIn(row);
      if (!above) throw new StateProblem(`The group of ${collection} ${row.uid ?? name} isn't in the state.`);
      const path = joined(above.path, name);
      const key = isUidOf(above.target) ? slot(collection, above.target.uid, name) : undefined;
      const target = matched(collection, row.uid, key) ?? refTo(collection, path);
      add({ collection, row, parent: above.target, path, target });
    }
  }

  // Bindings, whose identity and role are given by uid or by name: the nearest one of that name, from the binding's group up.
  const named = new Map<string, { path: string; target: Target }[]>();
  const addNamed = (
    collection: Collection,
    row: Readonly<Record<string, unknown>>,
    path: string,
    target: Target,
  ) => {
    for (const name of new Set([textAt(row, "name"), textAt(row, "email")])) {
      const key = JSON.stringify([collection, name]);
      if (name !== "") named.set(key, [...(named.get(key) ?? []), { path, target }]);
    }
  };
  for (const { collection, row, path, target } of nodes) addNamed(collection, row, path, target);
  for (const binding of reality.records.roleBindings)
    for (const [what, collection] of [
      ["identity", "identities"],
      ["role", "roles"],
    ] as const) {
      const { uid } = saidOf(binding, what);
      if (uid !== "" && parentOf(uid) === "" && !byUid.has(uid))
        addNamed(collection, Object(binding[what]) as Record<string, unknown>, "", { uid });
    }
  const lookedUp = (what: "identity" | "role", row: StateRow, at: string): Target | string => {
    const collection = what === "identity" ? "identities" : "roles";
    const { uid, name } = saidOf(row, what);
    if (uid !== "") {
      const node = byUid.get(uid);
      if (node) return node.target;
      if (parentOf(uid) === "" || real.has(uid) || !isBelow(uid, state.scope.uid)) return { uid };
      return `its ${what} ${uid} is neither in the state nor there`;
    }
    if (name === "") return `it has no ${what}Uid, and no ${what} with a name`;
    const all = named.get(JSON.stringify([collection, name])) ?? [];
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
  const grants = new Map<Node, { identityUid: Target; roleUid: Target }>();
  if (compared.includes("roleBindings"))
    for (const row of state.records.roleBindings) {
      const above = parentIn(row);
      const path = joined(above?.path ?? "", nameIn("roleBindings", row));
      if (!above) throw new StateProblem(`The group of roleBindings ${path} isn't in the state.`);
      const [identityUid, roleUid] = [
        lookedUp("identity", row, above.path),
        lookedUp("role", row, above.path),
      ];
      const trouble = [identityUid, roleUid].find((one) => typeof one === "string");
      const own = row.uid !== undefined && real.has(row.uid) ? row.uid : undefined;
      if (typeof identityUid === "string" || typeof roleUid === "string") {
        said.push({ collection: "roleBindings", path, why: String(trouble) });
        continue;
      }
      const key =
        isUidOf(above.target) && isUidOf(identityUid) && isUidOf(roleUid)
          ? slotOfBinding(above.target.uid, identityUid.uid, roleUid.uid)
          : undefined;
      const target = matched("roleBindings", own, key) ?? refTo("roleBindings", path);
      const node: Node = { collection: "roleBindings", row, parent: above.target, path, target };
      add(node);
      grants.set(node, { identityUid, roleUid });
    }

  // Steps.
  const steps: PlanStep[] = [];
  const needsOf = (...targets: readonly Target[]): string[] =>
    targets.flatMap((target) => (isUidOf(target) ? [] : [target.ref]));
  const valuesOf = (node: Node): Record<string, unknown> => {
    const grant = grants.get(node);
    return settableOf(node.collection, {
      ...plain({ uid: "", ...node.row }, node.collection),
      ...(grant && { identityUid: valueOf(grant.identityUid), roleUid: valueOf(grant.roleUid) }),
    });
  };
  const dropped = new Set<string>();
  for (const node of nodes.toSorted(by(({ collection }) => ORDER.indexOf(collection)))) {
    const { collection, row, parent, path, target } = node;
    if (!compared.includes(collection)) continue;
    const grant = grants.get(node);
    const references = grant ? [grant.identityUid, grant.roleUid] : [];
    const leave = (why: string) => said.push({ collection, path, why });
    if (!isUidOf(target)) {
      const lost = needsOf(parent, ...references).find((ref) => dropped.has(ref));
      if (!isManaged(collection, path) || lost !== undefined) {
        dropped.add(target.ref);
        if (lost !== undefined) leave(`it needs what is not planned: ${lost}`);
        continue;
      }
      if (collection === "identities" && isPerson(row)) {
        dropped.add(target.ref);
        leave("a person: people sign in, and are not created");
        continue;
      }
      const body = Object.fromEntries(
        Object.entries(valuesOf(node)).filter(([, value]) => !isNothing(value)),
      );
      const fields = fieldsBetween({}, body);
      const needs = needsOf(parent, ...references);
      steps.push({
        id: target.ref,
        how: "create",
        collection,
        path,
        parent: valueOf(parent),
        fields,
        body,
        needs,
      });
      continue;
    }
    const found = real.get(target.uid);
    if (!found) {
      const isPersonOrBuiltIn =
        collection === "identities" ? "a person who has no role there" : "built in, and not there";
      leave(isPersonOrBuiltIn);
      continue;
    }
    const oldPath = realPath(target.uid);
    if (!isManaged(collection, path) || !isManaged(collection, oldPath)) continue;
    if (isUidOf(parent) && target.uid !== scope && parent.uid !== parentOf(target.uid)) {
      leave("records can't move to another group: without its uid it is made anew there");
      continue;
    }
    const before = settableOf(collection, plain(found.row, collection));
    const after = valuesOf(node);
    const fields = fieldsBetween(before, after).filter((change) => !isSame(change.before, change.after));
    if (fields.length > 0 && collection !== "groups" && parentOf(target.uid) === "") {
      leave(
        `${fields.map((field) => field.path).join(", ")} differ${fields.length === 1 ? "s" : ""}, and only the service sets that`,
      );
      continue;
    }
    if (row.uid === target.uid) {
      const others = fieldsBetween(
        unsettable(found.row, collection, before),
        unsettable(row, collection, before, after),
      ).filter((change) => !isSame(change.before, change.after));
      if (others.length > 0) leave(`only the service sets ${others.map((field) => field.path).join(", ")}`);
    }
    if (fields.length === 0) continue;
    const lost = needsOf(...references).find((ref) => dropped.has(ref));
    if (lost !== undefined) {
      leave(`it needs what is not planned: ${lost}`);
      continue;
    }
    const mask = [...new Set(fields.map((field) => field.path.split(".")[0] ?? ""))];
    const body = Object.fromEntries(
      mask.flatMap((key) => (Object.hasOwn(after, key) ? [[key, after[key]]] : [])),
    );
    const needs = needsOf(...references);
    steps.push({
      id: `update ${collection} ${target.uid}`,
      how: "update",
      collection,
      path: oldPath,
      uid: target.uid,
      fields,
      body,
      mask,
      needs,
    });
  }

  // What takes a name waits for the record that gives it up.
  const freed = new Map(
    steps.flatMap(({ id, how, collection, uid = "", mask }) =>
      how === "update" && mask?.includes("name")
        ? [[slot(collection, parentOf(uid), textAt(real.get(uid)?.row, "name")), id] as const]
        : [],
    ),
  );
  const taking = steps.map((step) => {
    const name = step.body?.["name"];
    const parent = step.how === "create" ? step.parent : parentOf(step.uid ?? "");
    const waitsFor =
      typeof name === "string" && typeof parent === "string"
        ? freed.get(slot(step.collection, parent, name))
        : undefined;
    return waitsFor === undefined || waitsFor === step.id
      ? step
      : { ...step, needs: [...step.needs, waitsFor] };
  });

  // What is not in the state goes, in the order of the teardown.
  const gone = new Map<string, { collection: Collection; path: string }>();
  const isKept = (uid: string): boolean => !gone.has(uid) && real.get(uid)?.collection !== "tags";
  for (const collection of ORDER.toReversed()) {
    if (!compared.includes(collection)) continue;
    const rows = reality.records[collection]
      .filter(({ uid }) => !claimed.has(uid) && uid !== scope && parentOf(uid) !== "")
      .toSorted(
        by(
          ({ uid }) => (collection === "groups" ? -depthOf(uid) : 0),
          ({ uid }) => realPath(uid),
          ({ uid }) => uid,
        ),
      );
    for (const { uid } of rows) {
      const path = realPath(uid);
      if (!isManaged(collection, path)) continue;
      const kept =
        collection === "groups" && [...real.keys()].some((other) => isBelow(other, uid) && isKept(other));
      if (kept) said.push({ collection, path, why: "it stays, since something in it is left alone" });
      else gone.set(uid, { collection, path });
    }
  }
  const referring = (uid: string): string[] =>
    [...real.values()].flatMap(({ collection, row }) =>
      collection === "roleBindings" && [saidOf(row, "identity").uid, saidOf(row, "role").uid].includes(uid)
        ? gone.has(row.uid)
          ? [`delete roleBindings ${row.uid}`]
          : taking.filter((step) => step.uid === row.uid).map(({ id }) => id)
        : [],
    );
  const deletes = [...gone].map(([uid, { collection, path }]): PlanStep => {
    const inside = collection === "groups" ? [...gone].filter(([other]) => parentOf(other) === uid) : [];
    const needs = [
      ...inside.map(([other, facts]) => `delete ${facts.collection} ${other}`),
      ...(collection === "roles" || collection === "identities" ? referring(uid) : []),
    ];
    return { id: `delete ${collection} ${uid}`, how: "delete", collection, path, uid, fields: [], needs };
  });

  said.push(...tagsSaid());
  const { sorted, stuck } = inDependencyOrder([
    ...taking.filter(({ how }) => how === "create"),
    ...taking.filter(({ how }) => how === "update"),
    ...deletes,
  ]);
  for (const { collection, path } of stuck)
    said.push({
      collection,
      path,
      why: "names are swapped in a circle: give one of them a third name first",
    });
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

  /** Tags are pushed, with the image that they name: differences are only said. */
  function tagsSaid(): LeftAlone[] {
    if (state.without.includes("tags") || reality.missing.tags !== undefined) return [];
    const tagKey = (repo: string, row: Readonly<Record<string, unknown>>) =>
      JSON.stringify([repo, textAt(row, "name")]);
    const there = new Map(reality.records.tags.map((row) => [tagKey(parentOf(row.uid), row), row]));
    return state.records.tags.flatMap((row): LeftAlone[] => {
      const repo = byUid.get(parentOf(row.uid ?? ""));
      // It goes with its repo, or that is not compared.
      if (!repo) return [];
      const name = textAt(row, "name");
      const path = joined(repo.path, name);
      const found = there.get(tagKey(keyOf(repo.target), row));
      if (!isManaged("tags", path)) return [];
      if (!found) return [{ collection: "tags", path, why: "it isn't there: tags are pushed, not planned" }];
      const fields = fieldsBetween(plain(found, "tags"), plain({ uid: "", ...row }, "tags"));
      return fields.length === 0
        ? []
        : [
            {
              collection: "tags",
              path,
              why: `${fields.map((field) => field.path).join(", ")} differs: tags are pushed, not planned`,
            },
          ];
    });
  }
}

const MACHINE = ["claimMatch", "staticKeys", "awsIdentity", "servicePrincipal"];
const isPerson = (row: StateRow): boolean =>
  MACHINE.every((key) => isBlank(row[key])) && textAt(row, "email") !== "";

/** The fields of a record that callers can't set, less those that say when it was written. */
const unsettable = (
  row: Readonly<Record<string, unknown>>,
  collection: Collection,
  ...settable: readonly Readonly<Record<string, unknown>>[]
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(plain({ uid: "", ...row }, collection)).filter(
      ([key]) => !["parent", "createTime"].includes(key) && !settable.some((one) => Object.hasOwn(one, key)),
    ),
  );

/** The text that a digest of records is made from: the same for the same records, in whatever order they came. */
export const canonical = (records: Readonly<Record<Collection, readonly StateRow[]>>): string =>
  JSON.stringify(
    // Whoever pushes an image meanwhile does not stop a plan: tags are not in it.
    ORDER.map((kind) =>
      records[kind]
        .map((row) => JSON.stringify(inOrder({ ...plain({ uid: "", ...row }, kind), uid: row.uid ?? null })))
        .toSorted(),
    ),
  );
