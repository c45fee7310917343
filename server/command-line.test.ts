import { existsSync } from "node:fs";
import { expect, test } from "vitest";

import { readArguments, USAGE } from "./command-line";

test("without a command it starts", () => {
  expect(readArguments([])).toEqual({ name: "start", args: [] });
});

test("a command gets what follows its name", () => {
  expect(readArguments(["export", "--to", "x"])).toEqual({ name: "export", args: ["--to", "x"] });
});

test.each([
  [["--help"], "help"],
  [["-h"], "help"],
  [["help"], "help"],
  [["help", "--help"], "help"],
  [["help", "export"], "export"],
  [["export", "--help"], "export"],
  [["export", "--to", "x", "-h"], "export"],
] as const)("%j asks for help", (args, name) => {
  expect(readArguments(args)).toMatchObject({ name, ...(name !== "help" && { args: ["--help"] }) });
});

test.each([
  ["--check", "check"],
  ["--migrate", "migrate"],
  ["--version", "version"],
])("%s, of earlier versions, is %s", (option, name) => {
  expect(readArguments([option])).toEqual({ name, args: [] });
});

test.each([
  [["exprot", "--to", "x"], "There is no command exprot: did you mean export?"],
  [["--checks"], "There is no command --checks."],
  [["toString"], "There is no command toString."],
  [["help", "nothing"], "There is no command nothing."],
])("%j is refused", (args, sentence) => {
  expect(readArguments(args)).toBe(sentence);
});

test("the help names pages that are there", () => {
  const pages = USAGE.match(/docs\/[\w/-]+\.md/g) ?? [];
  expect(pages.length).toBeGreaterThan(0);
  for (const page of pages) expect(existsSync(new URL(`../${page}`, import.meta.url)), page).toBe(true);
});
