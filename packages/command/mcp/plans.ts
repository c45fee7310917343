import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { WRITTEN } from "platform-client/plan/settable";
import { stateOf } from "platform-client/plan/state";
import { COLLECTIONS, FORMAT, perKind, VERSION, type Collection } from "platform-client/snapshots/format";
import { isWithin } from "platform-contract/aip";
import { isObject } from "platform-contract/values";

import { UsageError } from "../cli/errors";
import { planFileOf } from "platform-client/plan/plan";
import { readReality } from "../state/reality";
import { mark } from "./mark";
import type { Tool } from "./tools";

type Json = Readonly<Record<string, unknown>>;

/** Most changes of one plan, and characters of one text in its summary. */
const MOST = 200;
const LONG = 2_000;

const WRITES = Object.keys(WRITTEN) as (keyof typeof WRITTEN)[];

const listOf = (value: unknown, name: string): readonly Json[] => {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every(isObject))
    throw new UsageError(`${name} has to be a list of objects.`);
  return value;
};

export const proposePlan: Tool = {
  name: "propose_plan",
  description: `Makes a plan of changes for a person to look at and to carry out; this server carries nothing out. It writes a file, and answers its summary. Records to create have the fields of the API and a parent (uid, or path by names such as "acme/runtime"); role bindings name identityUid and roleUid, or identity and role as {"name": ...}. Kinds: ${WRITES.join(", ")}.`,
  properties: {
    scope: { type: "string", description: "The uid of the organization or folder that the plan is of" },
    create: {
      type: "array",
      description: "Records to create",
      items: {
        type: "object",
        properties: {
          collection: { type: "string", enum: WRITES },
          parent: { type: "string", description: "The folder: its uid, or its path by names" },
          fields: { type: "object" },
        },
        required: ["collection", "parent", "fields"],
      },
    },
    update: {
      type: "array",
      description: "Records to change: the fields that are named get these values",
      items: {
        type: "object",
        properties: { uid: { type: "string" }, fields: { type: "object" } },
        required: ["uid", "fields"],
      },
    },
    delete: {
      type: "array",
      description: "Uids of records to delete; what is in a folder goes with it",
      items: { type: "string" },
    },
  },
  required: ["scope"],
  async run({ scope, create, update, delete: remove = [] }, { plans, ...connected }, signal) {
    const [made, changed] = [listOf(create, "create"), listOf(update, "update")];
    if (!Array.isArray(remove)) throw new UsageError("delete has to be a list of uids.");
    const count = made.length + changed.length + remove.length;
    if (count === 0 || count > MOST) throw new UsageError(`A plan has 1 to ${MOST} changes.`);
    const reality = await readReality(connected, String(scope), signal);
    const there = new Set(COLLECTIONS.flatMap((kind) => reality.records[kind].map(({ uid }) => uid)));
    for (const uid of [...changed.map((one) => one["uid"]), ...remove])
      if (!there.has(String(uid)))
        throw new UsageError(`${String(uid)} is not in this scope, or can't be seen.`);
    const lists = perKind((kind): Json[] => [
      ...reality.records[kind]
        .filter(({ uid }) => !remove.some((gone) => isWithin(uid, String(gone))))
        .map((row) => ({ ...row, ...Object(changed.find(({ uid }) => uid === row.uid)?.["fields"]) })),
      ...made
        .filter(({ collection }) => collection === kind)
        .map(({ parent, fields }) => ({ ...Object(fields), uid: undefined, parent })),
    ]);
    const strange = made.find(({ collection }) => !WRITES.some((kind) => kind === collection));
    if (strange)
      throw new UsageError(`${JSON.stringify(strange["collection"])} is no kind that a plan makes.`);
    const missing = (Object.entries(reality.missing) as [Collection, string][]).map(([kind, why]) => ({
      kind,
      why,
    }));
    const state = stateOf({ format: FORMAT, version: VERSION, scope: reality.scope, missing, ...lists });
    const plan = await planFileOf({ state, reality, service: connected.server.apiBaseUrl, manage: [] });
    const text = `${JSON.stringify(plan, undefined, 2)}\n`;
    const summary = mark(
      { steps: plan.steps.map(({ body: _body, mask: _mask, ...step }) => step), said: plan.said },
      LONG,
    );
    const next =
      "Nothing has been done. A person reads the plan, and carries it out with platform apply or in the console.";
    mkdirSync(plans, { recursive: true, mode: 0o700 });
    const file = join(plans, `plan-${createHash("sha256").update(text).digest("hex").slice(0, 12)}.json`);
    writeFileSync(file, text, { mode: 0o600 });
    return { ...Object(summary), plan_file: file, next };
  },
};
