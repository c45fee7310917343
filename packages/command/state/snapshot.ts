import { COLLECTIONS, kindIn, type Contents, type Snapshot } from "platform-client/snapshots/format";

import { tell, type Command } from "../cli/command";
import { RefusedError, UsageError } from "../cli/errors";
import { words } from "../cli/options";
import { printable } from "../output/printable";
import { connect } from "../session/session";
import { checkUid, kindNamed } from "../records/kinds";
import { checkScope, writeFolders } from "./folders";
import { textOf, writeOne } from "./kept";
import { readReality } from "./reality";

/** Kinds that can't be read, with the reasons, as lines. */
export const missingLines = ({ missing }: Pick<Contents, "missing">): string[] =>
  COLLECTIONS.flatMap((kind) =>
    missing[kind] === undefined ? [] : [printable(`${kindIn(kind).plural}: ${missing[kind]}`)],
  );

export const snapshot: Command = {
  words: "",
  what: "writes an organization or folder as a file, or a directory of files",
  more: `The file is the one that the console's "Take a snapshot" downloads: groups, roles, role bindings, identities, repos and tags,
sorted, without secrets. --split writes a file for each folder, at its path by names, to keep in git: _folder.yaml has the
folder and what is in it, _snapshot.yaml what the files are of. What changes between two runs on an unchanged organization is
the time alone. Comments in YAML stay where a file is written again; files of folders that are gone are removed.`,
  options: () => ({
    scope: { type: "string", value: "UID", what: "the organization or folder" },
    output: { type: "string", short: "o", value: "FILE", what: "the file; by default standard output" },
    split: { type: "string", value: "DIR", what: "a directory for a file per folder, instead of one file" },
    yaml: { type: "boolean", what: "YAML instead of JSON" },
    partial: {
      type: "boolean",
      what: "writes also if you may not see all kinds; the file says which are missing",
    },
  }),
  async run(given, signal) {
    words(given, []);
    const scope = given.text("scope");
    if (scope === undefined)
      throw new UsageError("Of what? Use --scope with the uid of an organization or folder.");
    const [output, split] = [given.text("output"), given.text("split")];
    if (output !== undefined && split !== undefined)
      throw new UsageError("--output and --split contradict each other.");
    checkUid(scope, kindNamed("groups"));
    if (split !== undefined) checkScope(split, scope);
    const connected = await connect(given.text("server"));
    const time = new Date().toISOString();
    const contents = await readReality(connected, scope, signal);
    const missing = missingLines(contents);
    if (missing.length > 0 && !given.has("partial"))
      throw new RefusedError(
        `The snapshot would be incomplete (--partial writes it all the same).\n${missing.join("\n")}`,
      );
    missing.forEach(tell);
    const taken: Snapshot = { ...contents, time, service: connected.server.apiBaseUrl };
    const yaml = given.has("yaml");
    if (split !== undefined) return writeFolders(split, taken, yaml ? "yaml" : "json");
    if (output !== undefined) return writeOne(output, taken, yaml, signal);
    process.stdout.write(await textOf(taken, yaml, undefined, signal));
  },
};
