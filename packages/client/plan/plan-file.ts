import * as z from "zod/mini";

import { UID_PATTERN } from "platform-contract/aip";

import { textAt, type Collection, type Snapshot } from "../snapshots/format";
import type { Planned, PlanStep } from "./planned";
import { WRITTEN } from "./settable";
import { changedByHand, showsWhatItSends } from "./shown";
import { StateProblem } from "./state";

/** A plan with what it was made from, so that whoever carries it out can see whether that is still so. */
export interface PlanFile extends Planned {
  readonly format: "platform-plan";
  readonly version: 1;
  readonly scope: NonNullable<Snapshot["scope"]>;
  /** The address of the API. */
  readonly service: string;
  readonly manage: readonly string[];
  /** Digests of the records: `sha256:...`. Tags are in neither. */
  readonly state: string;
  readonly reality: string;
}

const uid = z.string().check(z.regex(UID_PATTERN));
const field = z.object({ path: z.string(), before: z.optional(z.unknown()), after: z.optional(z.unknown()) });
const step = z.object({
  id: z.string(),
  how: z.enum(["create", "update", "delete"]),
  collection: z.custom<Collection>((value) => Object.hasOwn(WRITTEN, String(value))),
  path: z.string(),
  uid: z.optional(uid),
  parent: z.optional(z.union([uid, z.literal(""), z.object({ ref: z.string() })])),
  fields: z.array(field),
  body: z.optional(z.record(z.string(), z.unknown())),
  mask: z.optional(z.array(z.string())),
  needs: z.array(z.string()),
});
const digest = z.string().check(z.regex(/^sha256:[0-9a-f]{64}$/));
const file = z.looseObject({
  scope: z.object({ uid, name: z.string() }),
  service: z.string(),
  manage: z.array(z.string()),
  state: digest,
  reality: digest,
  steps: z.array(step),
  said: z.array(z.object({ collection: z.string(), path: z.string(), why: z.string() })),
});

/** A create has a parent and a body; what changes or deletes has a uid. */
const isWhole = ({ how, parent, body, uid: own, mask }: z.infer<typeof step>): boolean =>
  how === "create"
    ? parent !== undefined && body !== undefined
    : own !== undefined && (how === "delete" || (body !== undefined && mask !== undefined));

/** Reads what `platform plan --out` wrote. Throws a StateProblem that says what is wrong. */
export function readPlanFile(text: string): PlanFile {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new StateProblem("This file isn't valid JSON, so it isn't a plan.");
  }
  if (textAt(content, "format") !== "platform-plan") throw new StateProblem("This file isn't a plan.");
  const { version } = Object(content) as { version?: unknown };
  if (version !== 1)
    throw new StateProblem(`This plan has version ${JSON.stringify(version)}; this program reads version 1.`);
  const read = file.safeParse(content);
  if (!read.success)
    throw new StateProblem(`This plan is damaged at ${read.error.issues[0]?.path.join(".") ?? ""}.`);
  const known = new Set<string>();
  for (const one of read.data.steps) {
    const strange = one.needs.find((need) => !known.has(need));
    if (!isWhole(one) || known.has(one.id) || strange !== undefined)
      throw new StateProblem(`This plan is damaged at the step ${JSON.stringify(one.id)}.`);
    if (!showsWhatItSends(one as PlanStep)) throw changedByHand(one as PlanStep);
    known.add(one.id);
  }
  return { ...(read.data as object), steps: read.data.steps as readonly PlanStep[] } as PlanFile;
}
