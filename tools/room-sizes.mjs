/**
 * The size of each resource's screens: lines and files of `src/screens/<room>` and `src/routes/<room>`, without tests
 * and styles. `node tools/room-sizes.mjs` writes the table to docs/architecture.md.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { fill } from "./sizes.mjs";

/** @typedef {{ lines: number, files: number }} RoomSize */

/** Lines and files of the first four rooms before they shared the frame. */
export const BEFORE = {
  groups: { lines: 1188, files: 24 },
  identities: { lines: 2457, files: 39 },
  repos: { lines: 2174, files: 33 },
  tags: { lines: 2318, files: 36 },
};

/** Maximum lines per room; OTHERS for rooms not listed. Identities and people are one room in two folders. */
export const LIMITS = {
  groups: 800,
  repos: 1600,
  tags: 1600,
  identities: 1900,
  "role-bindings": 2100,
  roles: 1600,
  "token-tester": 1100,
  home: 1400,
  teardown: 600,
};
export const OTHERS = 900;
const ROOM_OF = { people: "identities" };

/** Maximum lines of a production file. */
export const FILE_LIMIT = 300;
/** Data tables have no limit. */
const DATA =
  /^server\/seed\/|^src\/contract\/iam\/capabilities\.ts$|^src\/screens\/identity-presets\/presets\.ts$|^src\/routeTree\.gen\.ts$/;
const TEST = /\.(?:test|long|attack)\.tsx?$|^server\/(?:conformance|testing|attacks|bench|durability)\//;

const filesBelow = (directory) =>
  existsSync(directory)
    ? readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
    : [];
const linesOf = (path) => readFileSync(path, "utf8").split("\n").length - 1;

/**
 * Returns the rooms by name, in alphabetical order.
 * @param {string} root of the repository
 * @returns {Record<string, RoomSize>}
 */
export function roomSizes(root) {
  const rooms = {};
  for (const house of ["src/screens", "src/routes"])
    for (const path of filesBelow(join(root, house))) {
      const [folder, ...rest] = relative(join(root, house), path).split("/");
      if (rest.length === 0 || TEST.test(path)) continue;
      const room = (rooms[ROOM_OF[folder] ?? folder] ??= { lines: 0, files: 0 });
      room.lines += linesOf(path);
      room.files += 1;
    }
  return Object.fromEntries(Object.entries(rooms).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Returns a sentence for each room over its limit.
 * @param {Record<string, RoomSize>} rooms
 * @returns {string[]}
 */
export const roomsOver = (rooms) =>
  Object.entries(rooms)
    .map(([room, { lines }]) => ({ room, lines, limit: LIMITS[room] ?? OTHERS }))
    .filter(({ lines, limit }) => lines > limit)
    .map(({ room, lines, limit }) => `${room} has ${lines} lines; the limit is ${limit}`);

/**
 * @param {string} root of the repository
 * @returns {string[]}
 */
export const filesOver = (root) =>
  ["src", "server"]
    .flatMap((house) => filesBelow(join(root, house)))
    .map((path) => ({ path: relative(root, path), lines: linesOf(path) }))
    .filter(({ path, lines }) => lines > FILE_LIMIT && !DATA.test(path) && !TEST.test(path))
    .filter(({ path }) => !/(?:^|\/)(?:node_modules|dist)\//.test(path))
    .map(({ path, lines }) => `${path} has ${lines} lines; the limit is ${FILE_LIMIT}`);

/**
 * Returns the sizes as a Markdown table.
 * @param {Record<string, RoomSize>} rooms
 */
export function roomTable(rooms) {
  const lines = [
    ["room", "lines before", "files before", "lines", "files", "limit"],
    ["---", ...Array.from({ length: 5 }, () => "---:")],
    ...Object.entries(rooms).map(([room, { lines: now, files }]) => [
      room,
      ...[BEFORE[room]?.lines, BEFORE[room]?.files].map((count) => count?.toLocaleString("en") ?? ""),
      ...[now, files, LIMITS[room] ?? OTHERS].map((count) => count.toLocaleString("en")),
    ]),
  ];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Writes the current table of rooms to docs/architecture.md. */
export function writeRoomTable(root) {
  const path = join(root, "docs/architecture.md");
  const document = readFileSync(path, "utf8");
  const filled = fill(document, "rooms", roomTable(roomSizes(root)));
  if (filled !== document) writeFileSync(path, filled);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  writeRoomTable(fileURLToPath(new URL("..", import.meta.url)));
