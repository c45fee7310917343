import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";

import { stateOf, StateProblem, type State } from "platform-client/plan/state";
import { snapshotBytes } from "platform-client/snapshots/file";
import { SnapshotProblem, type Snapshot } from "platform-client/snapshots/format";

import { UsageError } from "../cli/errors";
import { endingOf, readFolders, writeFolders } from "./folders";
import { yamlText, yamlValue } from "./yaml";

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw new UsageError(`${path} can't be read: ${(error as Error).message}`);
  }
}

/** Reads a state from a file or directory. Throws a UsageError, StateProblem or SnapshotProblem. */
export function readState(path: string): State {
  const content = isDirectory(path) ? readFolders(path) : yamlValue(readFileSync(path, "utf8"), path);
  try {
    return stateOf(content);
  } catch (error) {
    if (error instanceof StateProblem || error instanceof SnapshotProblem)
      error.message = `${path}: ${error.message}`;
    throw error;
  }
}

/** A snapshot as one text; in YAML with the comments of the text `before` it. */
export async function textOf(
  taken: Snapshot,
  yaml: boolean,
  before: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const { file } = await snapshotBytes(taken, signal);
  const text = await file.text();
  return yaml ? yamlText(JSON.parse(text), before) : text;
}

/** Writes a snapshot as one file. */
export async function writeOne(
  path: string,
  taken: Snapshot,
  yaml: boolean,
  signal: AbortSignal,
): Promise<void> {
  const before = yaml && existsSync(path) ? readFileSync(path, "utf8") : undefined;
  writeFileSync(path, await textOf(taken, yaml, before, signal));
}

/** Writes a snapshot over a state, in the form that it has. */
export async function writeState(path: string, taken: Snapshot, signal: AbortSignal): Promise<void> {
  if (isDirectory(path)) writeFolders(path, taken, endingOf(path));
  else await writeOne(path, taken, !readFileSync(path, "utf8").trimStart().startsWith("{"), signal);
}
