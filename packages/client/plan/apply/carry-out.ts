import type { Endpoint } from "platform-contract/endpoint";
import type { ListQuery } from "platform-contract/resource";

import type { Client } from "../../client";
import { ApiError } from "../../errors";
import { plain } from "../../snapshots/fields";
import type { Collection, SnapshotRow } from "../../snapshots/format";
import { listOf } from "../../snapshots/lists";
import { sha256 } from "../digest";
import { nameIn, saidOf } from "../match/names";
import type { PlanStep, UidOfCreated } from "../planned";
import { changesBetween, changesTo, settableOf, WRITTEN } from "../settable";
import type { StateRow } from "../state";

/** A step that is done. `found`: it was so already, so nothing was sent, or a record was deleted before. */
export interface StepDone {
  /** Of the record; what is created has it only now. */
  readonly uid: string;
  readonly found?: true;
}

/** What is there is not what the plan was made from. */
export class MovedError extends Error {}

type Operation = Endpoint<object, unknown, { readonly uid: string } | undefined>;
interface Kind {
  readonly get: Endpoint<object, undefined, SnapshotRow>;
  readonly create: Operation;
  readonly update: Operation;
  readonly delete: Operation;
}
const kindOf = (collection: Collection): Kind =>
  (WRITTEN as unknown as Readonly<Record<string, Kind>>)[collection] as Kind;

/** The operation that a step sends. */
export const operationOf = ({ collection, how }: Pick<PlanStep, "collection" | "how">): Operation =>
  kindOf(collection)[how];

interface Facts {
  readonly client: Pick<Client, "call" | "items">;
  /** The keys of requests are made of it: another one for each time that a plan is carried out. */
  readonly run: string;
  readonly signal: AbortSignal;
  readonly justification: string | undefined;
  /** What is done already, by the ids of its steps. */
  readonly done: ReadonlyMap<string, StepDone>;
  readonly steps: ReadonlyMap<string, PlanStep>;
  /** Bindings that an organization had when it had just been created, by its uid. */
  readonly given: Map<string, readonly SnapshotRow[]>;
}

const settable = (collection: Collection, row: StateRow) =>
  settableOf(collection, plain({ uid: "", ...row }, collection));

async function rowsIn(
  { client, signal }: Facts,
  collection: Collection,
  parent: string,
): Promise<SnapshotRow[]> {
  const place: ListQuery = parent === "" ? { "uidp.in_root": true } : { "uidp.children_of": parent };
  const rows: SnapshotRow[] = [];
  const query = { ...place, order_by: "uid" };
  for await (const row of client.items(listOf(collection), { query, signal })) rows.push(row);
  return rows;
}

/** Replaces the references of a step by uids. */
function resolved(step: PlanStep, { done }: Facts) {
  const uidFor = (value: unknown): unknown => {
    const { ref } = Object(value) as Partial<UidOfCreated>;
    return typeof ref === "string" ? done.get(ref)?.uid : value;
  };
  const body = { ...step.body };
  if (step.collection === "roleBindings")
    for (const key of ["identityUid", "roleUid"]) if (key in body) body[key] = uidFor(body[key]);
  return { parent: String(uidFor(step.parent) ?? ""), body };
}

/** True if a record is the one that a step creates, by its group and name, or identity and role. */
const isIn = (collection: Collection, row: SnapshotRow, body: Readonly<Record<string, unknown>>): boolean =>
  collection === "roleBindings"
    ? saidOf(row, "identity").uid === body["identityUid"] && saidOf(row, "role").uid === body["roleUid"]
    : nameIn(collection, row) === nameIn(collection, body);

/** Whoever creates an organization gets a role there at once. */
async function givenAtFirst(step: PlanStep, parent: string, facts: Facts): Promise<readonly SnapshotRow[]> {
  const { ref } = Object(step.parent) as Partial<UidOfCreated>;
  if (step.collection !== "roleBindings" || facts.steps.get(ref ?? "")?.parent !== "") return [];
  const known = facts.given.get(parent) ?? (await rowsIn(facts, "roleBindings", parent));
  facts.given.set(parent, known);
  return known;
}

async function create(step: PlanStep, isRepeated: boolean, facts: Facts): Promise<StepDone> {
  const { collection } = step;
  const { parent, body } = resolved(step, facts);
  const rows = isRepeated ? await rowsIn(facts, collection, parent) : await givenAtFirst(step, parent, facts);
  const others = new Set([...facts.done.values()].map(({ uid }) => uid));
  const found = rows.find((row) => isIn(collection, row, body) && !others.has(row.uid));
  if (found) {
    const differs = changesTo(collection, settable(collection, found), settable(collection, body));
    if (differs.length === 0) return { uid: found.uid, found: true };
    throw new MovedError(`it is there already, with another ${differs.map(({ path }) => path).join(", ")}`);
  }
  const key = await sha256(`${facts.run}\n${step.id}`);
  const { client, signal, justification } = facts;
  const input = { path: { parent }, body, signal, justification, idempotencyKey: key };
  const made = await client.call(operationOf(step), input);
  return { uid: made?.uid ?? "" };
}

/** The contract has no etag for these kinds, so the record is read first. */
async function update(step: PlanStep, facts: Facts): Promise<StepDone> {
  const { collection, uid = "", mask = [], fields } = step;
  const { client, signal, justification } = facts;
  const { body } = resolved(step, facts);
  let row: SnapshotRow;
  try {
    row = await client.call(kindOf(collection).get, { path: { uid }, signal });
  } catch (error) {
    if (error instanceof ApiError && error.code === "NOT_FOUND" && !error.operationMissing)
      throw new MovedError("it isn't there any more", { cause: error });
    throw error;
  }
  const current = settable(collection, row);
  const wanted = { ...current };
  for (const key of mask)
    if (Object.hasOwn(body, key)) wanted[key] = body[key];
    else Reflect.deleteProperty(wanted, key);
  const left = changesBetween(current, wanted);
  if (left.length === 0) return { uid, found: true };
  const planned = new Map(fields.map((change) => [change.path, change.before]));
  const other = left.filter(
    ({ path, before }) =>
      !planned.has(path) || changesBetween({ value: before }, { value: planned.get(path) }).length > 0,
  );
  if (other.length > 0 || left.length !== fields.length)
    throw new MovedError(
      `somebody changed it since: ${(other.length > 0 ? other : fields).map(({ path }) => path).join(", ")}`,
    );
  const query = { updateMask: mask.join(",") };
  const input = { path: { uid }, query, body, signal, justification, repeatable: true };
  await client.call(operationOf(step), input);
  return { uid };
}

async function remove(step: PlanStep, { client, signal, justification }: Facts): Promise<StepDone> {
  const { uid = "" } = step;
  try {
    await client.call(operationOf(step), { path: { uid }, signal, justification });
    return { uid };
  } catch (error) {
    if (error instanceof ApiError && error.code === "NOT_FOUND" && !error.operationMissing)
      return { uid, found: true };
    throw error;
  }
}

/** Carries out one step, whose needs are done. `isRepeated`: it may have been done before, and no key would tell. */
export function carryOut(step: PlanStep, isRepeated: boolean, facts: Facts): Promise<StepDone> {
  if (step.how === "create") return create(step, isRepeated, facts);
  return step.how === "update" ? update(step, facts) : remove(step, facts);
}
