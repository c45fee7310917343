import { parentOf } from "platform-contract/aip";

import { fieldsBetween } from "../snapshots/fields";
import { inOrder } from "../snapshots/file";
import { textAt, type Contents } from "../snapshots/format";
import { joined, nameIn } from "./match/names";
import { lookUp } from "./match/reality";
import type { PlanFile } from "./plan-file";
import type { PlanStep } from "./planned";
import { segmentOf, StateProblem } from "./state";

/** Of a plan that would do something else than it shows. */
export const changedByHand = ({ id }: PlanStep): StateProblem =>
  new StateProblem(
    `This plan was changed by hand: the step ${JSON.stringify(id)} would do something else than it shows. Make a new plan.`,
  );

const textOf = (value: unknown): string | undefined => JSON.stringify(inOrder(value));

/** Every value in a body by its path, as `fieldsBetween` writes that. */
function valuesIn(value: unknown, path = ""): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[path, value]];
  return [
    [path, value],
    ...Object.entries(value).flatMap(([key, inner]) => valuesIn(inner, path === "" ? key : `${path}.${key}`)),
  ];
}

/**
 * True if the fields of a step, which a person reads, are what it sends. What an update finds before it, and that it changes nothing
 * else, is compared when it is carried out.
 */
export function showsWhatItSends({ id, how, collection, path, uid, fields, body = {}, mask = [] }: PlanStep) {
  if (how !== "create" && id !== `${how} ${collection} ${uid}`) return false;
  if (how === "delete") return fields.length === 0;
  if (how === "update") {
    const values = new Map(valuesIn(body));
    const shown = new Set(fields.map((field) => field.path.split(".")[0]));
    return (
      Object.keys(body).every((key) => mask.includes(key)) &&
      mask.every((key) => shown.has(key)) &&
      fields.every(({ path: place, after }) => textOf(values.get(place)) === textOf(after))
    );
  }
  const shown = (changes: PlanStep["fields"]) => textOf(changes.map((one) => [one.path, one.after]));
  return (
    id === `create ${collection} ${path}` &&
    // That of a role binding is made of names, and its fields have the uids.
    (collection === "roleBindings" || path.split("/").at(-1) === segmentOf(nameIn(collection, body))) &&
    shown(fields) === shown(fieldsBetween({}, body))
  );
}

/**
 * Throws a StateProblem for a step whose path, which a person reads, is not that of the record that it changes or of the group that it
 * creates in, as that is called before the plan or after it.
 */
export function checkPaths({ steps, scope }: Pick<PlanFile, "steps" | "scope">, contents: Contents): void {
  const { byUid, pathOf } = lookUp(contents, scope.uid);
  const renamed = new Map(
    steps.flatMap(({ how, uid = "", body }) => (how === "update" ? [[uid, textAt(body, "name")]] : [])),
  );
  const pathAfter = (uid: string): string =>
    byUid.has(uid)
      ? joined(
          uid === scope.uid ? "" : pathAfter(parentOf(uid)),
          renamed.get(uid) || textAt(byUid.get(uid)?.row, "name"),
        )
      : "";
  const isTrue = ({ how, collection, path, uid = "", parent = "" }: PlanStep): boolean => {
    if (how !== "create") return byUid.get(uid)?.collection === collection && pathOf(uid) === path;
    const above = path.split("/").slice(0, -1).join("/");
    if (typeof parent !== "string") return parent.ref === `create groups ${above}`;
    return above === ""
      ? parent === parentOf(scope.uid)
      : [pathOf(parent), pathAfter(parent)].includes(above);
  };
  const strange = steps.find((step) => !isTrue(step));
  if (strange) throw changedByHand(strange);
}
