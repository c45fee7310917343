import { contentOfFiles } from "platform-client/plan/folders";
import { readPlanFile } from "platform-client/plan/plan-file";
import { stateOf, StateProblem } from "platform-client/plan/state";
import { SnapshotProblem, textAt } from "platform-client/snapshots/format";
import { parseDocument } from "yaml";

import { TextProblem } from "~/frame/untrusted-text/outcome";
import { serve } from "~/frame/untrusted-text/serve";

import type { Chosen, Opened } from "./open";

function valueOf({ path, text }: Chosen): unknown {
  const document = parseDocument(text);
  const [error] = document.errors;
  // Below its first line, the message draws the place.
  const [why = ""] = error?.message.split(/:?\n/) ?? [];
  if (error) throw new TextProblem(`${path} is neither JSON nor YAML: ${why}.`);
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw new TextProblem(`${path} can't be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

serve(({ files, isFolder }: { readonly files: readonly Chosen[]; readonly isFolder: boolean }): Opened => {
  try {
    const [file] = files;
    if (isFolder || !file)
      return { state: stateOf(contentOfFiles(new Map(files.map((each) => [each.path, valueOf(each)])))) };
    const value = valueOf(file);
    return textAt(value, "format") === "platform-plan"
      ? { plan: readPlanFile(file.text) }
      : { state: stateOf(value) };
  } catch (error) {
    const isKnown = error instanceof StateProblem || error instanceof SnapshotProblem;
    throw isKnown ? new TextProblem(error.message) : error;
  }
});
