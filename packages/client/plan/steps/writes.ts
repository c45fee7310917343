import { parentOf } from "platform-contract/aip";
import { by } from "platform-contract/order";
import { isBlank } from "platform-contract/values";

import { fieldsBetween, plain } from "../../snapshots/fields";
import { textAt, type Collection } from "../../snapshots/format";
import type { Meant } from "../match/bindings";
import { isUidOf, ORDER, slot, valueOf, type Target } from "../match/names";
import type { Matches, Node } from "../match/records";
import type { LeftAlone, PlanStep } from "../planned";
import { changesBetween, changesTo, isNothing, OPERATORS, settableOf } from "../settable";
import type { StateRow } from "../state";

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

const needsOf = (...targets: readonly Target[]): string[] =>
  targets.flatMap((target) => (isUidOf(target) ? [] : [target.ref]));

interface Facts {
  readonly matches: Matches;
  readonly grants: ReadonlyMap<Node, Meant>;
  readonly compared: readonly Collection[];
  isManaged(collection: Collection, path: string): boolean;
}

/** What creates and changes records, and what is left alone of them. */
export function writesOf({ matches, grants, compared, isManaged }: Facts): {
  readonly steps: readonly PlanStep[];
  readonly said: readonly LeftAlone[];
} {
  const { reality, scope } = matches;
  const steps: PlanStep[] = [];
  const said: LeftAlone[] = [];
  /** References to what is not planned. */
  const dropped = new Set<string>();
  const operators = new Set<string>();
  const valuesOf = (node: Node, row: Readonly<Record<string, unknown>>): Record<string, unknown> => {
    const grant = grants.get(node);
    return settableOf(node.collection, {
      ...row,
      ...(grant && { identityUid: valueOf(grant.identityUid), roleUid: valueOf(grant.roleUid) }),
    });
  };
  const leave = ({ collection, path }: Node, why: string) => said.push({ collection, path, why });
  const referencesOf = (node: Node): Target[] => {
    const grant = grants.get(node);
    return grant ? [grant.identityUid, grant.roleUid] : [];
  };

  function create(node: Node, ref: string): void {
    const { collection, row, parent, path } = node;
    const needs = needsOf(parent, ...referencesOf(node));
    const lost = needs.find((need) => dropped.has(need));
    const person = collection === "identities" && isPerson(row);
    if (!isManaged(collection, path) || lost !== undefined || person) {
      dropped.add(ref);
      if (lost !== undefined) leave(node, `it needs what is not planned: ${lost}`);
      else if (isManaged(collection, path)) leave(node, "a person: people sign in, and are not created");
      return;
    }
    // What the service goes on changing by itself (a repo's activeTags) begins as the state says.
    const values = Object.entries(valuesOf(node, row)).filter(([, value]) => !isNothing(value));
    const body = Object.fromEntries(
      values.filter(([key]) => collection !== "groups" || !OPERATORS.includes(key)),
    );
    for (const [key] of values) if (!Object.hasOwn(body, key)) operators.add(key);
    const fields = fieldsBetween({}, body);
    steps.push({ id: ref, how: "create", collection, path, parent: valueOf(parent), fields, body, needs });
  }

  function update(node: Node, uid: string): void {
    const { collection, row, parent, path } = node;
    const found = reality.byUid.get(uid);
    if (!found) {
      // Nobody has a role in an organization that isn't there yet.
      if (!reality.byUid.has(scope)) return;
      leave(node, collection === "identities" ? "a person who has no role there" : "built in, and not there");
      return;
    }
    const oldPath = reality.pathOf(uid);
    if (!isManaged(collection, path) || !isManaged(collection, oldPath)) return;
    if (isUidOf(parent) && uid !== scope && parent.uid !== parentOf(uid)) {
      leave(node, "records can't move to another group: without its uid it is made anew there");
      return;
    }
    const before = settableOf(collection, plain(found.row, collection));
    const after = valuesOf(node, plain({ uid: "", ...row }, collection));
    const fields = changesTo(collection, before, after);
    if (fields.length > 0 && collection !== "groups" && parentOf(uid) === "") {
      const differs = `differ${fields.length === 1 ? "s" : ""}`;
      leave(
        node,
        `${fields.map((field) => field.path).join(", ")} ${differs}, and only the service sets that`,
      );
      return;
    }
    if (row.uid === uid) {
      const others = changesBetween(
        unsettable(found.row, collection, before),
        unsettable(row, collection, before, after),
      );
      if (others.length > 0)
        leave(node, `only the service sets ${others.map((field) => field.path).join(", ")}`);
    }
    if (fields.length === 0) return;
    const needs = needsOf(...referencesOf(node));
    const lost = needs.find((ref) => dropped.has(ref));
    if (lost !== undefined) {
      leave(node, `it needs what is not planned: ${lost}`);
      return;
    }
    const mask = [...new Set(fields.map((field) => field.path.split(".")[0] ?? ""))];
    const body = Object.fromEntries(
      mask.flatMap((key) => (Object.hasOwn(after, key) ? [[key, after[key]]] : [])),
    );
    const id = `update ${collection} ${uid}`;
    steps.push({ id, how: "update", collection, path: oldPath, uid, fields, body, mask, needs });
  }

  for (const node of matches.nodes.toSorted(by(({ collection }) => ORDER.indexOf(collection)))) {
    if (!compared.includes(node.collection)) continue;
    if (isUidOf(node.target)) update(node, node.target.uid);
    else create(node, node.target.ref);
  }
  if (operators.size > 0) {
    const why = `only the operator sets ${[...operators].toSorted().join(", ")}: not sent`;
    said.push({ collection: "groups", path: "", why });
  }
  return { steps: afterGivenUp(steps, matches), said };
}

/** What takes a name waits for the record that gives it up. */
function afterGivenUp(steps: readonly PlanStep[], { reality }: Matches): PlanStep[] {
  const freed = new Map(
    steps.flatMap(({ id, how, collection, uid = "", mask }) =>
      how === "update" && mask?.includes("name")
        ? [[slot(collection, parentOf(uid), textAt(reality.byUid.get(uid)?.row, "name")), id] as const]
        : [],
    ),
  );
  return steps.map((step) => {
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
}
