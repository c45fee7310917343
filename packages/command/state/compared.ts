import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";

import { canonical } from "platform-client/plan/canonical";
import { makePlan } from "platform-client/plan/plan";
import type { Planned } from "platform-client/plan/planned";
import { stateOf, type State } from "platform-client/plan/state";
import type { Contents, Snapshot } from "platform-client/snapshots/format";

import { print } from "../cli/command";
import { UsageError } from "../cli/errors";
import type { Given, Options } from "../cli/options";
import { printableLines } from "../output/printable";
import { connect } from "../session/session";
import type { Checked } from "./check";
import { readFolders } from "./folders";
import { readReality } from "./reality";
import { planLines, planMarkdown } from "./text";
import { yamlValue } from "./yaml";

/** A plan with what it was made from, so that whoever carries it out can see whether that is still so. */
export interface PlanFile extends Planned {
  readonly format: "platform-plan";
  readonly version: 1;
  readonly scope: NonNullable<Snapshot["scope"]>;
  readonly service: string;
  readonly manage: readonly string[];
  /** Digests of the records: `sha256:...`. Tags are in neither. */
  readonly state: string;
  readonly reality: string;
  /** What the service said of it (`--check`). */
  readonly checked?: Checked;
}

export const COMPARED: Options = {
  scope: {
    type: "string",
    value: "UID",
    what: "the organization or folder to compare with; by default that of the state",
  },
  manage: {
    type: "string",
    multiple: true,
    value: "PATTERN",
    what: 'only what is at this path by names: acme/**, repos:acme/*; with "!" before it, all but that',
  },
  output: {
    type: "string",
    short: "o",
    value: "FORMAT",
    what: "json, table or markdown; by default a table on a terminal, JSON elsewhere",
  },
};

const FORMATS = ["json", "table", "markdown"] as const;

/** Throws a UsageError. */
export function formatGiven(given: Given): (typeof FORMATS)[number] {
  const asked = given.text("output") ?? (process.stdout.isTTY ? "table" : "json");
  const format = FORMATS.find((one) => one === asked);
  if (!format) throw new UsageError(`--output takes ${FORMATS.join(", ")}.`);
  return format;
}

function readState(path: string): State {
  let isDirectory: boolean;
  try {
    isDirectory = statSync(path).isDirectory();
  } catch (error) {
    throw new UsageError(`${path} can't be read: ${(error as Error).message}`);
  }
  return stateOf(isDirectory ? readFolders(path) : yamlValue(readFileSync(path, "utf8"), path));
}

const digestOf = (records: Parameters<typeof canonical>[0]): string =>
  `sha256:${createHash("sha256").update(canonical(records)).digest("hex")}`;

/** Reads a state and the reality, and plans. */
export async function comparedWith(path: string, given: Given, signal: AbortSignal) {
  const state = readState(path);
  const manage = given.texts("manage").toSorted();
  const connected = await connect(given.text("server"));
  const reality: Contents & Pick<PlanFile, "scope"> = await readReality(
    connected,
    given.text("scope") ?? state.scope.uid,
    signal,
  );
  const { scope } = reality;
  const file: PlanFile = {
    format: "platform-plan",
    version: 1,
    scope,
    service: connected.server.apiBaseUrl,
    manage,
    state: digestOf(state.records),
    reality: digestOf(reality.records),
    ...makePlan({ state, reality, scope: scope.uid, manage }),
  };
  return { file, reality, ...connected };
}

export function showPlan(plan: PlanFile, format: (typeof FORMATS)[number]): void {
  if (format === "json") print(printableLines(JSON.stringify(plan, undefined, 2)));
  else print(format === "table" ? planLines(plan).join("\n") : planMarkdown(plan));
}
