import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";

import type { Planned } from "platform-client/plan/planned";
import { perKind, type Snapshot, type SnapshotRow } from "platform-client/snapshots/format";

import { directoryName, filesOf, readFolders, writeFolders } from "./folders";
import { codeOf, planLines, planMarkdown } from "./text";
import { yamlText } from "./yaml";

const ROOT = "a".repeat(40);
const at = (index: number): string => `${ROOT}/${index.toString(16).padStart(16, "0")}`;
const HOSTILE = [
  "..",
  ".",
  "../..",
  "a/b",
  "a\\b",
  ".git",
  "_folder.yaml",
  "con",
  "NUL.txt",
  "end.",
  "end ",
  " x",
  "%2E",
  "-rf",
  "\u0000",
  "\u202e",
  "Team",
  "team",
  "TEAM",
  "x".repeat(300),
  "\u{1f600}".repeat(63),
  "~",
  "a~b",
  "ß",
  "ss",
  "é",
  "e\u0301",
];

test("names of folders become directories that lead nowhere else, and no two are one", () => {
  const groups = [{ uid: ROOT, name: "acme" }, ...HOSTILE.map((name, index) => ({ uid: at(index), name }))];
  const snapshot: Snapshot = {
    scope: { uid: ROOT, name: "acme" },
    time: "2026-11-30T00:00:00Z",
    service: "x",
    missing: {},
    records: { ...perKind((): SnapshotRow[] => []), groups },
  };
  const paths = [...filesOf(snapshot).keys()];
  expect(paths).toHaveLength(groups.length + 1);
  expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
  for (const path of paths) {
    expect(path).toMatch(/^[A-Za-z0-9._ %~/-]+$/);
    for (const part of path.split("/")) expect(part).toMatch(/^(?:_folder|_snapshot|[A-Za-z0-9%].{0,100})$/);
    expect(path).not.toMatch(/(?:^|\/)(?:con|nul)(?:\.|\/)|[. ]\//i);
  }
  expect(directoryName("runtime", ROOT)).toBe("runtime");

  const directory = mkdtempSync(join(tmpdir(), "folders-"));
  for (const ending of ["yaml", "json"] as const) {
    writeFolders(directory, snapshot, ending);
    const { groups: read } = readFolders(directory) as { groups: { uid: string; name: string }[] };
    const named = (rows: { uid: string; name: string }[]) =>
      rows.map(({ uid, name }) => `${uid} ${name}`).toSorted();
    expect(named(read)).toEqual(named(groups));
  }
  // A link in a checkout leads nowhere.
  rmSync(join(directory, "acme/Team~0000000000000010"), { recursive: true });
  const away = mkdtempSync(join(tmpdir(), "away-"));
  symlinkSync(away, join(directory, "acme/Team~0000000000000010"));
  expect(() => writeFolders(directory, snapshot, "json")).toThrow("is a link");
  rmSync(directory, { recursive: true });
  rmSync(away, { recursive: true });
});

test("files of folders that are gone are removed, and nothing that somebody else put there", () => {
  const directory = mkdtempSync(join(tmpdir(), "folders-"));
  const of = (...names: string[]): Snapshot => ({
    scope: { uid: ROOT, name: "acme" },
    time: "2026-11-30T00:00:00Z",
    service: "x",
    missing: {},
    records: {
      ...perKind((): SnapshotRow[] => []),
      groups: [{ uid: ROOT, name: "acme" }, ...names.map((name, index) => ({ uid: at(index), name }))],
    },
  });
  writeFolders(directory, of("one", "two"), "yaml");
  writeFileSync(join(directory, "acme/one/README.md"), "mine");
  mkdirSync(join(directory, ".git"));
  writeFolders(directory, of(), "yaml");
  expect(readFileSync(join(directory, "acme/one/README.md"), "utf8")).toBe("mine");
  expect(() => readFileSync(join(directory, "acme/one/_folder.yaml"))).toThrow("ENOENT");
  expect(() => readFileSync(join(directory, "acme/two"))).toThrow("ENOENT");
  rmSync(directory, { recursive: true });
});

test("comments stay at what they are about", () => {
  const before = `# About all.
group:
  # Why it is called so.
  name: old # the name
  uid: u0
repos:
  # The first one.
  - name: a
    uid: u1
  # The second one.
  - name: b # b!
    uid: u2
  - &x {name: made, tags: [1]}
`;
  const value = {
    group: { name: "new", uid: "u0" },
    repos: [
      { name: "made", tags: [1, 2], uid: "u0" },
      { name: "c", uid: "u2" },
      { name: "a", uid: "u1" },
    ],
  };
  const text = yamlText(value, before);
  expect(parse(text)).toEqual(value);
  for (const comment of [
    "# About all.",
    "# Why it is called so.\n  name: new # the name",
    "# The first one.\n  - name: a",
    "# The second one.\n  - name: c # b!",
  ])
    expect(text).toContain(comment);
  expect(yamlText(value, text)).toBe(text);
  expect(yamlText(value, "no: [map")).toBe(yamlText(value));
  expect(yamlText(value)).toBe(yamlText(value, yamlText(value)));
});

const EVIL = "``](javascript:x) <img src=x> @everyone #1\n# head | \u001b[31m\u202e";
test("nothing in a name is Markdown, HTML, a mention or a new line", () => {
  const plan: Planned = {
    steps: [
      {
        id: "x",
        how: "update",
        collection: "repos",
        path: EVIL,
        uid: at(1),
        needs: [],
        fields: [{ path: "description", before: EVIL, after: undefined }],
      },
    ],
    said: [{ collection: "tags", path: EVIL, why: EVIL }],
  };
  const lines = planMarkdown(plan).split("\n");
  expect(lines.filter(Boolean)).toHaveLength(5);
  // Only code is left of what somebody else wrote.
  const rest = lines.join("\n").replaceAll(/(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, "");
  expect(rest).not.toMatch(/everyone|img|javascript|head/);
  // oxlint-disable-next-line no-control-regex
  expect([...lines, ...planLines(plan)].join("\n")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  expect(planLines(plan)).toHaveLength(4);
  expect(codeOf("`a`")).toBe("`` `a` ``");
});
