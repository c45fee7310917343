import { managing } from "platform-client/plan/manage";
import { lookUp } from "platform-client/plan/match/reality";
import { planFileOf } from "platform-client/plan/plan";
import type { PlanFile } from "platform-client/plan/plan-file";

import type { Contents } from "platform-client/snapshots/format";

import { print, tell } from "../cli/command";
import { UsageError } from "../cli/errors";
import type { Given, Options } from "../cli/options";
import { printable, printableLines } from "../output/printable";
import { connect } from "../session/session";
import type { Checked } from "./check";
import { readState } from "./kept";
import { readIfThere } from "./reality";
import { planLines, planMarkdown } from "./text";

/** A plan, and what the service said of it (`--check`). */
type Shown = PlanFile & { readonly checked?: Checked };

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

/** Patterns that nothing matches: misspelt, what they should have is not compared, and nothing seems to differ. */
function unmatched(manage: readonly string[], { steps, scope }: PlanFile, reality: Contents): string[] {
  const { byUid, pathOf } = lookUp(reality, scope.uid);
  const all = [...byUid].map(([uid, { collection }]) => ({ collection, path: pathOf(uid) }));
  return manage.filter((pattern) => {
    const has = managing([pattern.replace(/^!/, "")]);
    return ![...all, ...steps].some(({ collection, path }) => has(collection, path));
  });
}

/** Reads a state and the reality, and plans; `anew` as for `readIfThere`. */
export async function comparedWith(path: string, given: Given, signal: AbortSignal, anew?: boolean) {
  const state = readState(path);
  const manage = given.texts("manage").toSorted();
  const connected = await connect(given.text("server"));
  const asked = given.text("scope") ?? state.scope.uid;
  const reality = await readIfThere(connected, { name: state.scope.name, uid: asked }, anew, signal);
  const file = await planFileOf({ state, reality, service: connected.server.apiBaseUrl, manage });
  for (const pattern of unmatched(manage, file, reality))
    tell(printable(`--manage ${pattern} matches nothing that is there, and nothing that would be created.`));
  return { file, reality, ...connected };
}

export function showPlan(plan: Shown, format: (typeof FORMATS)[number]): void {
  if (format === "json") print(printableLines(JSON.stringify(plan, undefined, 2)));
  else print(format === "table" ? planLines(plan).join("\n") : planMarkdown(plan));
}
