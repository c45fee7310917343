import type { Command } from "../cli/command";
import { DriftError, RefusedError } from "../cli/errors";
import { words } from "../cli/options";
import { COMPARED, comparedWith, formatGiven, showPlan } from "./compared";
import { missingLines } from "./snapshot";

export const drift: Command = {
  words: "STATE",
  what: "says whether an organization or folder is still as its files say",
  more: `For CI: exit code 0 if nothing differs, 6 if something does, another one if that can't be told. It prints the plan that would
make it so again (see "platform plan --help"). What a plan leaves alone is printed and is no drift.`,
  options: () => COMPARED,
  async run(given, signal) {
    const [path] = words(given, ["STATE"]);
    const format = formatGiven(given);
    const { file, reality } = await comparedWith(path, given, signal);
    const missing = missingLines(reality);
    if (missing.length > 0)
      throw new RefusedError(`Whether something differs can't be told.\n${missing.join("\n")}`);
    showPlan(file, format);
    if (file.steps.length > 0) throw new DriftError("It is not as the files say.");
  },
};
