import { readFileSync } from "node:fs";

import { applyPlan, StalePlanError, type Applied, type StepReport } from "platform-client/plan/apply";
import { digestOf, sha256 } from "platform-client/plan/digest";
import { readPlanFile, type PlanFile } from "platform-client/plan/plan-file";
import type { PlanStep } from "platform-client/plan/planned";

import { agrees } from "../cli/ask";
import { print, tell, type Command } from "../cli/command";
import { DriftError, RefusedError, UsageError } from "../cli/errors";
import { words } from "../cli/options";
import { printable } from "../output/printable";
import { REASON } from "../records/options";
import { connect, ownIdentity } from "../session/session";
import { runOf } from "./journal";
import { readState, writeState } from "./kept";
import { readIfThere, readReality } from "./reality";
import { missingLines } from "./snapshot";
import { planLines, stepLine } from "./text";

const textOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const hint =
      (error as NodeJS.ErrnoException).code === "EISDIR"
        ? `${path} is a directory, and not a plan. Make one: platform plan ${path} --out plan.json`
        : `${path} can't be read: ${(error as Error).message}`;
    throw new UsageError(hint);
  }
};

/** What came of a step, as lines; none for its begin. */
function lineOf(step: PlanStep, what: StepReport): string | undefined {
  const line = stepLine(step);
  switch (what.as) {
    case "begun":
      return undefined;
    case "done":
      return what.found ? `${line}: it is so already` : line;
    case "waits":
      return printable(`${line}: not tried, since it needs "${what.for}"`);
    case "moved":
      return printable(`${line}: ${what.why}`);
    case "refused":
      return [
        printable(`${line}: refused: ${what.code}: ${what.message}`),
        ...what.violations.map(({ field, description }) => printable(`    ${field}: ${description}`)),
      ].join("\n");
  }
}

/** The step that makes the organization itself, if it wasn't there. */
const makes = ({ steps }: PlanFile): PlanStep | undefined =>
  steps.find(({ how, parent }) => how === "create" && parent === "");

/** The uid of what the plan is of: another one if it made that anew. */
const scopeAfter = (plan: PlanFile, { done }: Applied): string =>
  done.get(makes(plan)?.id ?? "")?.uid ?? plan.scope.uid;

export const apply: Command = {
  words: "PLANFILE",
  what: "carries out a plan, exactly as it was shown",
  more: `PLANFILE is what "platform plan STATE --out PLANFILE" wrote. Its steps are carried out one by one in its order; only what takes
your own rights away (your role bindings, roles that you have, your identity) comes last. Nothing is done if something in the
organization or folder has changed since the plan was made, tags aside: then the exit code is 6. A record that somebody
changes meanwhile ends the run at that step, with exit code 6.
Where the service refuses a step, steps that need it are not tried; the others are, and the exit code is 1.
PLANFILE.journal is written step by step. If the command ends before the plan does, run it again: it goes on, and does nothing
twice. To give a plan up, delete its journal. A record in another folder is a new one: see "platform plan --help".
With --state, the snapshot is taken again after the last step and written over the state that was planned, so that new
records have their uids in it; comments stay. It has to be as it was planned, and is left as it is unless everything was done.`,
  options: () => ({
    yes: { type: "boolean", short: "y", what: "asks no question" },
    state: {
      type: "string",
      value: "STATE",
      what: "the file or directory to write the snapshot to at the end",
    },
    ...REASON,
  }),
  async run(given, signal) {
    const [path] = words(given, ["PLANFILE"]);
    const text = textOf(path);
    const plan = readPlanFile(text);
    const state = given.text("state");
    const journalPath = `${path}.journal`;
    const { run, reason, journal, before } = runOf(journalPath, await sha256(text), given.text("reason"));
    if (!given.has("yes") && process.stdin.isTTY !== true)
      throw new UsageError("Nobody can answer here whether to carry it out: add --yes.");
    const connected = await connect(given.text("server"));
    const { client, server } = connected;
    if (server.apiBaseUrl !== plan.service)
      throw new UsageError(`This plan is for ${plan.service}, and not for ${server.apiBaseUrl}.`);
    if (state !== undefined) {
      const read = readState(state);
      if ((await digestOf(read.records)) !== plan.state)
        throw new UsageError(`${state} is not as it was when the plan was made from it. Make a new plan.`);
    }
    const reality = await readIfThere(connected, plan.scope, makes(plan) ? true : undefined, signal);
    if (!given.has("yes")) {
      planLines(plan).forEach(tell);
      if (run.done.size > 0) tell(`${run.done.size} of these are done already.`);
      if (!(await agrees(printable(`Carry this out in ${plan.scope.name}?`), signal)))
        throw new UsageError("Nothing was done.");
    }
    const self = await ownIdentity(connected, signal);
    const { idempotencyKeys } = server;
    let count = run.done.size;
    const so = (): string => `${count} of ${plan.steps.length} steps are done.`;
    let applied: Applied;
    try {
      applied = await applyPlan({
        client,
        idempotencyKeys,
        plan,
        reality,
        self,
        run,
        signal,
        justification: reason,
        report(step, what) {
          journal.add(step.id, what);
          if (what.as === "done") count += 1;
          const line = lineOf(step, what);
          if (line !== undefined) print(line);
        },
      });
    } catch (error) {
      if (error instanceof StalePlanError) {
        if (before?.isOver === true && before.begin.plan === (await sha256(text)))
          throw new StalePlanError(`${error.message} (${journalPath} says that this one was carried out.)`);
      } else tell(`${so()} Run the same command again to go on.`);
      throw error;
    }
    const { refused, waiting, moved } = applied;
    const isWhole = applied.done.size === plan.steps.length;
    journal.end(isWhole ? "done" : "stopped");
    if (moved)
      throw new DriftError(
        `${so()} The run ended at "${moved.step.id}": ${moved.why}. Make a new plan; delete ${journalPath} to give this one up.`,
      );
    if (!isWhole)
      throw new RefusedError(
        `${so()} ${refused.size} refused, ${waiting.size} not tried. Run the same command again to try these, ` +
          `or delete ${journalPath} and make a new plan.`,
      );
    print(so());
    if (state === undefined) return;
    const time = new Date().toISOString();
    const contents = await readReality(connected, scopeAfter(plan, applied), signal);
    const missing = missingLines(contents);
    if (missing.length > 0)
      throw new RefusedError(
        `${state} was not written, since you may not see all now.\n${missing.join("\n")}`,
      );
    await writeState(state, { ...contents, time, service: server.apiBaseUrl }, signal);
  },
};
