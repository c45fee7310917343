import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";

import { inOrder } from "platform-client/snapshots/file";
import { COLLECTIONS, FORMAT, textAt, VERSION, type Collection } from "platform-client/snapshots/format";
import type { Snapshot, SnapshotRow } from "platform-client/snapshots/format";
import { contentOfFiles, FOLDER, HEAD, isStateFile } from "platform-client/plan/folders";
import { groupOf } from "platform-contract/holders";
import { parentOf } from "platform-contract/aip";
import { by } from "platform-contract/order";

import { UsageError } from "../cli/errors";
import { printable } from "../output/printable";
import { yamlText, yamlValue } from "./yaml";

const ENDINGS = ["yaml", "json"] as const;

/** Names that Windows keeps for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const LONGEST = 100;

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");

/** A name of anybody as that of a directory: nothing leads out of it or is hidden, and two names are never one. */
export function directoryName(name: string, uid: string): string {
  const safe = name
    .replaceAll(/[^A-Za-z0-9._ -]/gu, percent)
    .replace(/^[^A-Za-z0-9%]/, percent)
    .replace(/[. ]$/, percent)
    .replace(DEVICE, (found) => percent(found.charAt(0)) + found.slice(1));
  const short = safe.length > LONGEST || safe === "";
  return short ? `${safe.slice(0, LONGEST - 20)}~${uid.slice(-16)}` : safe;
}

/** The files of a snapshot by their paths without an ending. */
export function filesOf({ records, missing, scope, time, service }: Snapshot): Map<string, unknown> {
  const groups = new Map(records.groups.map((row) => [row.uid, row]));
  const siblings = new Map<string, SnapshotRow[]>();
  for (const row of records.groups) {
    const inside = siblings.get(parentOf(row.uid));
    if (inside) inside.push(row);
    else siblings.set(parentOf(row.uid), [row]);
  }
  const directories = new Map<string, string>();
  const directoryOf = (uid: string): string => {
    const known = directories.get(uid);
    if (known !== undefined) return known;
    const nameOf = (row: SnapshotRow) => directoryName(textAt(row, "name"), row.uid);
    const own = nameOf(groups.get(uid) ?? { uid });
    // Most disks don't tell "a" from "A".
    const same = (siblings.get(parentOf(uid)) ?? []).filter(
      (row) => nameOf(row).toLowerCase() === own.toLowerCase(),
    );
    const name = same.length > 1 ? `${own.slice(0, LONGEST - 20)}~${uid.slice(-16)}` : own;
    const path = groups.has(parentOf(uid)) ? `${directoryOf(parentOf(uid))}/${name}` : name;
    directories.set(uid, path);
    return path;
  };
  const parts = new Map<string, Map<Collection, SnapshotRow[]>>();
  for (const collection of COLLECTIONS)
    for (const row of records[collection]) {
      const group = collection === "groups" ? row.uid : groupOf({ collection, uid: row.uid });
      const path = groups.has(group) ? `${directoryOf(group)}/${FOLDER}` : HEAD;
      const part = parts.get(path) ?? new Map<Collection, SnapshotRow[]>();
      parts.set(path, part);
      const rows = part.get(collection);
      if (rows) rows.push(row);
      else part.set(collection, [row]);
    }
  const lists = (path: string): Record<string, unknown> =>
    Object.fromEntries(
      [...(parts.get(path) ?? [])].map(([collection, rows]) => [
        collection,
        rows.toSorted(by(({ uid }) => uid)).map(inOrder),
      ]),
    );
  const why = COLLECTIONS.flatMap((kind) => (missing[kind] ? [{ kind, why: missing[kind] }] : []));
  const head = { format: FORMAT, version: VERSION, scope, service, time, missing: why };
  const files = new Map<string, unknown>([[HEAD, { ...head, ...lists(HEAD) }]]);
  for (const path of [...parts.keys()].toSorted()) {
    if (path === HEAD) continue;
    const { groups: [group] = [], ...inside } = lists(path) as { groups?: unknown[] };
    files.set(path, { group, ...inside });
  }
  return files;
}

const textIn = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new UsageError(`${file} can't be read: ${(error as Error).message}`);
  }
};

/** Every file of a state below a directory. Links are not followed. */
function found(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .toSorted(by(({ name }) => name))
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      // What begins with a dot is of other programs: .git.
      if (entry.isDirectory()) return entry.name.startsWith(".") ? [] : found(path);
      return entry.isFile() && isStateFile(entry.name) ? [path] : [];
    });
}

/** Makes the directories to a file; throws a UsageError where a link would lead out. */
function makeWay(root: string, path: string): void {
  let place = root;
  mkdirSync(root, { recursive: true });
  for (const part of path.split("/").slice(0, -1)) {
    place = join(place, part);
    mkdirSync(place, { recursive: true });
    if (!lstatSync(place).isDirectory()) throw new UsageError(`${place} is a link, and is not followed.`);
  }
}

/** Throws a UsageError for a directory with the files of another organization or folder, which would be removed. */
export function checkScope(root: string, uid: string): void {
  const head = join(root, `${HEAD}.${endingOf(root)}`);
  const text = textIn(head);
  if (text === undefined) return;
  const { scope } = Object(yamlValue(text, head)) as { scope?: unknown };
  const [of, name] = [textAt(scope, "uid"), textAt(scope, "name")];
  if (of !== "" && of !== uid)
    throw new UsageError(printable(`${root} has the files of ${name} (${of}): choose another directory.`));
}

/** Writes the files of a snapshot, and removes those of folders that are gone. Comments in files of YAML stay. */
export function writeFolders(root: string, snapshot: Snapshot, ending: (typeof ENDINGS)[number]): void {
  let before: string[] = [];
  try {
    before = found(root);
    if (
      !before.some((file) => dirname(file) === join(root) && file.includes(HEAD)) &&
      readdirSync(root).some((name) => !name.startsWith("."))
    )
      throw new UsageError(`${root} has other files and no state: choose an empty directory.`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const written = new Set<string>();
  for (const [path, value] of filesOf(snapshot)) {
    const file = join(root, `${path}.${ending}`);
    makeWay(root, path);
    try {
      if (lstatSync(file).isSymbolicLink()) throw new UsageError(`${file} is a link, and is not followed.`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    writeFileSync(
      file,
      ending === "yaml" ? yamlText(value, textIn(file)) : `${JSON.stringify(value, undefined, 2)}\n`,
    );
    written.add(file);
  }
  for (const file of before.filter((one) => !written.has(one))) {
    rmSync(file);
    // Nothing that somebody else put there is removed.
    for (
      let place = dirname(file);
      place !== join(root) && readdirSync(place).length === 0;
      place = dirname(place)
    )
      rmdirSync(place);
  }
}

/** How the files of a state are written: that of its head. */
export const endingOf = (root: string): (typeof ENDINGS)[number] =>
  existsSync(join(root, `${HEAD}.json`)) ? "json" : "yaml";

/** The content of a directory that `writeFolders` wrote, as that of one snapshot file. Throws a UsageError, or a StateProblem. */
export function readFolders(root: string): unknown {
  const files = found(root).map((file): [string, unknown] => [
    relative(root, file).split(sep).join("/"),
    yamlValue(readFileSync(file, "utf8"), file),
  ]);
  return contentOfFiles(new Map(files));
}
