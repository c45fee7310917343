import { expect, test } from "vitest";

import { readChanges, eventsOf } from "./changes";

const UID = "a".repeat(40);

test("a record is told once, as it is at the end", () => {
  const on = (...lines: string[]) => readChanges(lines.map((line) => `${line} groups ${UID}`).join("\n"));
  expect(on("created", "updated").map((change) => change.on)).toEqual(["created"]);
  expect(on("updated", "updated").map((change) => change.on)).toEqual(["updated"]);
  expect(on("updated", "deleted").map((change) => change.on)).toEqual(["deleted"]);
  expect(on("created", "deleted")).toEqual([]);
  expect(on("deleted", "created").map((change) => change.on)).toEqual(["updated"]);
});

test("an operation stands for what it was about, and for nothing else", () => {
  const changes = readChanges(
    [`created role_bindings ${UID}/1`, `updated repos ${UID}/2`, `updated repos ${UID}/3`].join("\n"),
  );
  const told = (operation: string | undefined, result: unknown) =>
    eventsOf(changes, operation, result).map(({ type, subject }) => `${type.on} ${subject.slice(40)}`);
  const each = ["created /1", "updated /2", "updated /3"];
  expect(told(undefined, undefined)).toEqual(each);
  expect(told("roleBindings.create", { uid: `${UID}/1` })).toEqual(each);
  expect(told("roleBindings.batchCreate", { roleBindings: [] })).toEqual([
    "roleBindings.batchCreate ",
    "updated /2",
    "updated /3",
  ]);
  expect(told("repos.updateReadme", { uid: `${UID}/2` })).toEqual([
    "repos.updateReadme /2",
    "created /1",
    "updated /3",
  ]);
  expect(told("terms.accept", { group: UID })).toEqual(each);
});
