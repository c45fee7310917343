import { describe, expect, it } from "vitest";

import { FORMAT, VERSION } from "../snapshots/format";
import { contentOfFiles, isStateFile } from "./folders";
import { stateOf } from "./state";

const ROOT = "a".repeat(40);
const TEAM = `${ROOT}/${"b".repeat(16)}`;
const HEAD = { format: FORMAT, version: VERSION, scope: { uid: ROOT, name: "acme" }, missing: [] };

const files = (more: Record<string, unknown> = {}): Map<string, unknown> =>
  new Map(
    Object.entries({
      "_snapshot.yaml": HEAD,
      "acme/_folder.yaml": { group: { uid: ROOT, name: "acme" }, roles: [{ name: "puller" }] },
      "acme/team/_folder.json": { group: { uid: TEAM, name: "team" }, identities: [{ name: "ci" }] },
      ...more,
    }),
  );

describe("contentOfFiles", () => {
  it("puts each record into the group of its file", () => {
    const { records } = stateOf(contentOfFiles(files()));
    expect(records.groups).toEqual([
      { uid: ROOT, name: "acme" },
      { uid: TEAM, name: "team", parent: ROOT },
    ]);
    expect(records.roles).toEqual([{ name: "puller", parent: ROOT }]);
    expect(records.identities).toEqual([{ name: "ci", parent: TEAM }]);
  });

  it("places what is in a new folder by its path by names, whatever its directory is called", () => {
    const made = { "acme/x/_folder.yaml": { group: { name: "a/b" }, repos: [{ name: "web" }] } };
    const { records } = stateOf(contentOfFiles(files(made)));
    expect(records.groups).toContainEqual({ name: "a/b", parent: ROOT });
    expect(records.repos).toEqual([{ name: "web", parent: "acme/a%2Fb" }]);
  });

  it.each([
    ["no head", { "_snapshot.yaml": undefined }, "no object"],
    ["two heads", { "_snapshot.json": HEAD }, "as .json and as .yaml"],
    [
      "a folder without a file above it",
      { "acme/no/deep/_folder.yaml": { group: { name: "deep" } } },
      "has no _folder.yaml",
    ],
    ["a folder without a group", { "acme/x/_folder.yaml": {} }, "no group with a name"],
    [
      "a list of no kind",
      { "acme/x/_folder.yaml": { group: { name: "x" }, constructor: [] } },
      "no list of a kind",
    ],
  ])("refuses %s", (_, more, sentence) => {
    expect(() => contentOfFiles(files(more))).toThrow(sentence);
  });

  it("needs a head", () => {
    expect(() => contentOfFiles(new Map())).toThrow("this is no state");
  });
});

it("leaves files of other programs alone", () => {
  expect(["_snapshot.json", "a/b/_folder.yaml"].every(isStateFile)).toBe(true);
  expect(
    [".git/_folder.yaml", "a/.x/_folder.json", "README.md", "a/folder.yaml", "_folder.txt"].some(isStateFile),
  ).toBe(false);
});
