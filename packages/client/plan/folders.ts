import { isObject } from "platform-contract/values";

import { COLLECTIONS, perKind } from "../snapshots/format";
import { segmentOf, StateProblem } from "./state";

/** No folder of a platform is called so: their names begin with a letter or digit. */
export const HEAD = "_snapshot";
export const FOLDER = "_folder";
const FILE = /^(?:(.+)\/)?(_snapshot|_folder)\.(?:json|yaml)$/;

/** True for a path of a file of a state, and not of other programs, whose directories begin with a dot: `.git`. */
export const isStateFile = (path: string): boolean =>
  FILE.test(path) && !path.split("/").some((part) => part.startsWith("."));

/** Values of one name by their directories; "" is that of the head. */
function valuesIn(files: ReadonlyMap<string, unknown>, name: string): Map<string, Record<string, unknown>> {
  const found = new Map<string, Record<string, unknown>>();
  for (const [path, value] of files) {
    const [, directory = "", own] = FILE.exec(path) ?? [];
    if (own !== name || !isStateFile(path)) continue;
    if (found.has(directory))
      throw new StateProblem(`${path} is there as .json and as .yaml: remove one of them.`);
    if (!isObject(value)) throw new StateProblem(`${path} is no object with fields.`);
    found.set(directory, { ...value });
  }
  return found;
}

/**
 * The content of a state that is split by folder, as that of one snapshot file. `files`: their values by their paths from the
 * directory of the head, with slashes. Throws a StateProblem.
 */
export function contentOfFiles(files: ReadonlyMap<string, unknown>): unknown {
  const head = valuesIn(files, HEAD).get("");
  if (!head) throw new StateProblem(`There is no ${HEAD}.yaml or ${HEAD}.json: this is no state.`);
  const all = perKind((kind): unknown[] => [head[kind] ?? []].flat());
  const folders = valuesIn(files, FOLDER);
  const places = new Map<string, { readonly own: string; readonly path: string }>();
  for (const directory of [...folders.keys()].toSorted()) {
    const file = `${directory}/${FOLDER}`;
    const above = directory.split("/").slice(0, -1).join("/");
    const parent = places.get(above);
    if (above !== "" && !parent)
      throw new StateProblem(`${above} has no ${FOLDER}.yaml: which folder is it?`);
    const { group, ...lists } = folders.get(directory) ?? {};
    if (!isObject(group) || typeof group["name"] !== "string")
      throw new StateProblem(`${file} has no group with a name.`);
    const path = parent ? `${parent.path}/${segmentOf(group["name"])}` : segmentOf(group["name"]);
    const own = typeof group["uid"] === "string" ? group["uid"] : path;
    places.set(directory, { own, path });
    const placed = (row: unknown, at: string | undefined): unknown =>
      isObject(row) && at !== undefined ? { ...row, parent: at } : row;
    all.groups.push(placed(group, parent?.own));
    for (const [key, rows] of Object.entries(lists)) {
      const kind = COLLECTIONS.find((one) => one === key && one !== "groups");
      if (!kind || !Array.isArray(rows)) throw new StateProblem(`${file}: ${key} is no list of a kind.`);
      // A tag is in a repo, which its uid says.
      for (const row of rows) all[kind].push(kind === "tags" ? row : placed(row, own));
    }
  }
  return { ...head, ...all };
}
