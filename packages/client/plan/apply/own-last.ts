import { depthOf, parentOf } from "platform-contract/aip";
import { by } from "platform-contract/order";

import type { Contents } from "../../snapshots/format";
import { saidOf } from "../match/names";
import type { PlanStep } from "../planned";

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** True if a role can do less afterwards. */
const takesAway = ({ how, fields }: PlanStep): boolean =>
  how === "delete" ||
  fields.some(
    ({ path, before, after }) =>
      path === "capabilities" && list(before).some((one) => !list(after).includes(one)),
  );

/**
 * The steps of a plan with those last that take rights away from the person who carries it out, with what needs these: their role
 * bindings, their identity, and roles that they have; what is deepest first.
 */
export function ownLast(
  steps: readonly PlanStep[],
  { records }: Pick<Contents, "records">,
  self: string | undefined,
): readonly PlanStep[] {
  const own = records.roleBindings.filter((row) => saidOf(row, "identity").uid === self);
  const bindings = new Set(own.map(({ uid }) => uid));
  const roles = new Set(own.map((row) => saidOf(row, "role").uid));
  const isOwn = (step: PlanStep): boolean => {
    const { how, collection, uid = "" } = step;
    if (how === "create") return false;
    if (collection === "roleBindings") return bindings.has(uid);
    return (collection === "identities" && uid === self) || (roles.has(uid) && takesAway(step));
  };
  const late = new Set<string>();
  for (const step of steps) if (isOwn(step) || step.needs.some((id) => late.has(id))) late.add(step.id);
  if (late.size === 0) return steps;
  // Whatever follows from one that went is done while the ones further up still count.
  let left = steps
    .filter(({ id }) => late.has(id))
    .toSorted(
      by(
        (step) => (isOwn(step) ? 1 : 0),
        ({ uid = "" }) => -depthOf(parentOf(uid)),
      ),
    );
  const sorted = steps.filter(({ id }) => !late.has(id));
  while (left.length > 0) {
    const waiting = new Set(left.map(({ id }) => id));
    const next = left.find(({ needs }) => !needs.some((id) => waiting.has(id)));
    if (!next) return steps;
    sorted.push(next);
    left = left.filter((step) => step !== next);
  }
  return sorted;
}
