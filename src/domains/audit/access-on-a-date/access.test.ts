import { expect, it } from "vitest";

import { inOrder, momentOf, momentWords, onOf, readAccessSearch } from "./data";
import { accessCsv, accessJson } from "./file";
import { gapsOf, summaryOf } from "./notes";

const GROUP = "a".repeat(40);
const BEGIN = "2026-11-20T10:00:00.000Z";

it("reads a day or a moment from the address, and nothing else", () => {
  const read = (on: string) => readAccessSearch({ on }).on;
  for (const on of ["2026-11-23", "2026-11-23T14:05Z", "2026-11-23T14:05:07Z", "2026-11-23T14:05:07.123Z"])
    expect(read(on)).toBe(on);
  for (const on of ["2026-02-31", "2026-11-23T25:00Z", "2026-11-23T14:05", "yesterday", "2026-11-23T14:05Zx"])
    expect(read(on)).toBeUndefined();
  expect(readAccessSearch({ identity: "../x" })).toEqual({});
});

it("goes from the address to the fields and back", () => {
  expect(momentOf("2026-11-23T14:05:07Z", 0)).toEqual({ day: "2026-11-23", clock: "14:05:07" });
  expect(onOf({ day: "2026-11-23", clock: "14:05:07" })).toBe("2026-11-23T14:05:07Z");
  expect(onOf({ day: "2026-11-23", clock: undefined })).toBe("2026-11-23");
  expect(onOf({ day: "", clock: "14:05" })).toBeUndefined();
  expect(momentOf(undefined, Date.parse("2026-11-25T23:59:59Z"))).toEqual({ day: "2026-11-25" });
  expect(momentWords({ day: "2026-11-23", clock: "14:05" })).toBe("on 2026-11-23 at 14:05 UTC");
});

it("says what an answer cannot know", () => {
  const asked = "2026-11-19T00:00:00.000Z";
  expect(gapsOf({ complete: true, knownSince: BEGIN, time: asked }, asked)).toEqual([]);
  expect(gapsOf({ complete: false, knownSince: BEGIN, time: asked }, asked)).toEqual([
    "The audit log begins on 2026-11-20 10:00:00 UTC. Access that was removed before then is not shown: the log can't tell who had it.",
  ]);
  expect(gapsOf({ complete: false, knownSince: asked, time: BEGIN }, BEGIN)).toEqual([
    expect.stringContaining("doesn't list every change since 2026-11-20 10:00:00 UTC ("),
  ]);
  const removed = { roleBinding: "b", group: GROUP, identity: "i", role: "r", startUnknown: true };
  expect(gapsOf({ complete: false, knownSince: BEGIN, held: [removed] }, asked)).toEqual([
    expect.stringContaining("The audit log begins"),
    expect.stringContaining("might have been after 2026-11-19 00:00:00 UTC."),
  ]);
  const changed = { roleBinding: "b", group: GROUP, identity: "i", role: "r", changeUnknown: true };
  expect(gapsOf({ complete: false, knownSince: BEGIN, held: [changed] }, asked)).toEqual([
    expect.stringContaining("The audit log begins"),
    "Some of these role bindings were changed, or may have been, after 2026-11-19 00:00:00 UTC and before 2026-11-20 10:00:00 UTC, when the audit log begins: the log can't tell who had them, or with which role. They are marked.",
  ]);
  const top = `${GROUP}/${"1".repeat(16)}`;
  expect(gapsOf({ complete: true, topGroup: top }, asked)).toHaveLength(1);
  expect(gapsOf({ complete: true, belowLeftOut: true }, asked)).toEqual([
    expect.stringContaining("Folders below are left out"),
  ]);
  expect(gapsOf({ complete: true, topGroup: GROUP }, asked)).toEqual([]);
});

it("calls nobody and no number the whole where something is unknown", () => {
  const asked = "2026-11-21T00:00:00.000Z";
  const team = `${GROUP}/${"1".repeat(16)}`;
  const role = (group: string, identity: string) => ({ roleBinding: "b", group, identity, role: "r" });
  const question = (group: string) => ({
    about: { group, below: true },
    name: "team",
    moment: { day: "2026-11-21", clock: undefined },
  });
  const [here, below] = [role(team, "a".repeat(40)), role(`${team}/${"2".repeat(16)}`, "b".repeat(40))];
  const told = { complete: true, topGroup: GROUP, held: [here] };
  const on = ", at any time on 2026-11-21 (UTC), through roles granted in team or above it. ";
  const read = (answer: object, start = asked) => summaryOf(question(team), { ...told, ...answer }, start);
  expect(read({})).toBe(`1 identity${on}Nobody else had a role in a folder below it.`);
  for (const gap of [
    { topGroup: team },
    { complete: false },
    { complete: false, knownSince: "2026-11-22T00:00:00.000Z" },
    { held: [here, { ...below, startUnknown: true }] },
  ])
    expect(read(gap)).toBe(
      `At least 1 identity${on}Nobody else is known to have had a role in a folder below it.${
        "held" in gap ? " 1 more is marked as uncertain below." : ""
      }`,
    );
  expect(read({ topGroup: team, held: [here, below] })).toBe(
    `At least 1 identity${on}At least 1 more had a role only in folders below it.`,
  );
  expect(read({ belowLeftOut: true })).toBe(
    `1 identity${on}What was granted in a folder below it is not listed.`,
  );
  expect(read({ topGroup: undefined, held: [below] })).toMatch(
    /^At least 1 identity, .* folders below team\.$/,
  );
});

it("orders what counts in the group before what counts below it, and equal names always alike", () => {
  const role = (uid: string, group: string, identityName: string) => ({
    roleBinding: uid,
    group,
    identity: uid,
    identityName,
    role: "r",
  });
  const below = `${GROUP}/${"1".repeat(16)}`;
  const [a, b, c, d] = [
    role("1", GROUP, "ann"),
    role("2", GROUP, "ann"),
    role("3", GROUP, "Bo"),
    role("0", below, "a"),
  ];
  const about = { group: GROUP, below: true };
  for (const held of [
    [a, b, c, d],
    [d, c, b, a],
  ])
    expect(inOrder(about, held)).toEqual([a, b, c, d]);
  expect(inOrder({ identity: "i" }, [c, d, a])).toEqual([a, c, d]);
});

it("writes files that no spreadsheet takes for formulas, with the question in the JSON", () => {
  const held = [
    { roleBinding: "b", group: GROUP, identity: "i", identityName: "=1+1", role: "r", roleName: "x,y" },
  ];
  const paths = new Map([[GROUP, "acme / team"]]);
  const [head, line, note, rest] = accessCsv(held, paths, ["why, perhaps"]).split("\r\n");
  expect(head).toContain("Identity,Identity ID,Kind,Role,Role ID,Granted in,Path");
  expect(line).toBe(`'=1+1,i,person,"x,y",r,,acme / team,${GROUP},b,,,,`);
  expect([note, rest]).toEqual(['Note,"why, perhaps"', ""]);
  expect(
    JSON.parse(accessJson({ group: GROUP, on: "2026-11-23" }, { held, complete: false }, ["why"])),
  ).toEqual({
    question: { group: GROUP, on: "2026-11-23" },
    held,
    complete: false,
    notes: ["why"],
  });
});
