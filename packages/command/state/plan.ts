import { writeFileSync } from "node:fs";

import type { Command } from "../cli/command";
import { words } from "../cli/options";
import { COMPARED, comparedWith, formatGiven, showPlan } from "./compared";

export const plan: Command = {
  words: "STATE",
  what: "shows what would make an organization or folder as its files say",
  more: `STATE is a snapshot file, or a directory that "platform snapshot --split" wrote, with your changes. Nothing is written.
What is new has no uid: in a directory it belongs to the folder of its file, in one file it has parent: acme/runtime.
A role binding names its identity and role by uid, or by name (identity: {name: ci}, role: {name: viewer}).
People, built-in roles and tags are not planned; what differs in them is said.`,
  options: () => ({
    ...COMPARED,
    out: { type: "string", value: "FILE", what: "also keeps the plan, as JSON" },
  }),
  async run(given, signal) {
    const [path] = words(given, ["STATE"]);
    const format = formatGiven(given);
    const { file } = await comparedWith(path, given, signal);
    const out = given.text("out");
    if (out !== undefined) writeFileSync(out, `${JSON.stringify(file, undefined, 2)}\n`);
    showPlan(file, format);
  },
};
