import { isStateFile } from "platform-client/plan/folders";
import type { PlanFile } from "platform-client/plan/plan-file";
import type { State } from "platform-client/plan/state";

import { TextProblem } from "~/frame/untrusted-text/outcome";
import { readInWorker } from "~/frame/untrusted-text/read-in-worker";

import type { FoundFile } from "./found-files";

/** A file of a state. */
export interface Chosen {
  /** From the directory of the head, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** What the files say: what is to be, or a plan that is made already. */
export type Opened = { readonly state: State } | { readonly plan: PlanFile };

/** Maximum size of all files in bytes: larger than any scope's state, and still readable as one string. */
const MOST = 200_000_000;

const start = (): Worker =>
  new Worker(new URL("./read-worker.ts", import.meta.url), { type: "module", name: "state" });

/** Reads one file, or a directory with a state that is split by folder. Rejects with a TextProblem. */
export async function open(found: readonly FoundFile[], signal: AbortSignal): Promise<Opened> {
  const [only] = found;
  const isFolder = found.length > 1 || only?.path.includes("/") === true;
  if (!only) throw new TextProblem("There are no files in there.");
  // A checkout has the state in a directory of its own: that with the head nearest to the top.
  const heads = found
    .map(({ path }) => /^((?:.+\/)?)_snapshot\.(?:json|yaml)$/.exec(path)?.[1])
    .filter((directory) => directory !== undefined)
    .toSorted((one, other) => one.split("/").length - other.split("/").length);
  const [root, next] = heads;
  if (isFolder && root === undefined)
    throw new TextProblem("There is no _snapshot.yaml or _snapshot.json in there: this is no state.");
  if (isFolder && root !== next && next?.split("/").length === root?.split("/").length)
    throw new TextProblem(`There are two states in there, ${root} and ${next}: choose the folder of one.`);
  const own = isFolder
    ? found.flatMap(({ path, file }) => {
        const inside = path.startsWith(root ?? "") ? path.slice(root?.length) : "";
        return isStateFile(inside) ? [{ path: inside, file }] : [];
      })
    : [only];
  const bytes = own.reduce((sum, { file }) => sum + file.size, 0);
  if (bytes > MOST) throw new TextProblem("This is larger than 200 MB, too large for a state.");
  const files = await Promise.all(own.map(async ({ path, file }) => ({ path, text: await file.text() })));
  // YAML takes its time: about ten times that of JSON.
  return readInWorker<object, Opened>({ start, request: { files, isFolder }, bytes: bytes * 40, signal });
}
