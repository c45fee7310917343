import { writeFileSync } from "node:fs";

import type { Command } from "../cli/command";
import { DriftError, UsageError } from "../cli/errors";
import { words } from "../cli/options";
import { checkSteps } from "./check";
import { COMPARED, comparedWith, formatGiven, showPlan } from "./compared";

export const plan: Command = {
  words: "STATE",
  what: "shows what would make an organization or folder as its files say",
  more: `STATE is a snapshot file, or a directory that "platform snapshot --split" wrote, with your changes. Nothing is written.
What is new has no uid: in a directory it belongs to the folder of its file, in one file it has parent: acme/runtime.
A role binding names its identity and role by uid, or by name (identity: {name: ci}, role: {name: viewer}).
With --check, the exit code is 6 if the service would refuse something; steps that need others first are not checked.
People, built-in roles and tags are not planned; what differs in them is said. Records can't move: in another folder they are
new ones, and the old ones are deleted.`,
  options: () => ({
    ...COMPARED,
    check: {
      type: "boolean",
      what: "also asks the service what it would refuse, where it can be asked without writing",
    },
    anew: {
      type: "boolean",
      what: "if the organization isn't there, or you can't see it: plans to make it again, with other uids",
    },
    out: { type: "string", value: "FILE", what: 'also keeps the plan, as JSON, for "platform apply"' },
  }),
  async run(given, signal) {
    const [path] = words(given, ["STATE"]);
    const format = formatGiven(given);
    const { file: planned, client, server } = await comparedWith(path, given, signal, given.has("anew"));
    if (given.has("check") && !server.validateOnly)
      throw new UsageError(
        "This service can't check writes without doing them: its config.json has no validateOnly.",
      );
    const checked = given.has("check") ? await checkSteps(client, planned.steps, signal) : undefined;
    const file = { ...planned, ...(checked && { checked }) };
    const out = given.text("out");
    if (out !== undefined) writeFileSync(out, `${JSON.stringify(file, undefined, 2)}\n`);
    showPlan(file, format);
    if (checked && checked.refused.length > 0) throw new DriftError("The service would refuse some of it.");
  },
};
