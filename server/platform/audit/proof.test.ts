import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Wire } from "../../conformance/world";
import { answers, hashOf, NAMES, openProof, pick, run, VERIFIER } from "./testing-proof";

let { organization, folder, get, parts, busy, bundle, changing, close } = {} as Awaited<
  ReturnType<typeof openProof>
>;
beforeAll(async () => {
  ({ organization, folder, get, parts, busy, bundle, changing, close } = await openProof());
});
afterAll(() => close());

const shown = (held: readonly Wire[]): string[] =>
  held
    .map((one) =>
      ["roleBinding", "group", "identity", "role", "startTime", "endTime", "endSinceTime"]
        .map((field) => one[field] ?? "")
        .join(" "),
    )
    .toSorted();

/** The parts of the documentation that are to be run. */
const recipes = [
  ...readFileSync(new URL("../../../docs/signatures.md", import.meta.url), "utf8")
    .split("## Proof bundles")[1]!
    .matchAll(/^```bash\n(.*?)^```$/gms),
].map(([, code = ""]) => code);

test("public tools find the same as the verifier, by the recipe of the documentation and of the bundle", async () => {
  const { head, entries, keys } = await parts();
  const at = bundle("history", { record: { uid: organization } }, { head, entries, keys });
  const bash = (code: string) => spawnSync("bash", ["-c", code], { cwd: at, encoding: "utf8" });
  const [chain = "", signature = ""] = recipes;
  expect(bash("sha256sum --check --quiet SHA256SUMS").status).toBe(0);
  expect(bash(chain).stdout).toBe(`${head["sequence"]} ${head["hash"]}\n`);
  const told = bash(signature).stdout;
  expect(told).toMatch(/^Verified OK\n/);
  expect(JSON.parse(told.replace("Verified OK", ""))).toMatchObject({ organization, hash: head["hash"] });
  const lines = readFileSync(join(at, "entries.jsonl"), "utf8");
  writeFileSync(join(at, "entries.jsonl"), lines.replace("groups.create", "groups.update"));
  expect(bash(chain).stdout).toContain("WRONG: entry 1\n");
  const text = readFileSync(join(VERIFIER, "recipe.txt"), "utf8").replaceAll(/^ {2}/gm, "");
  for (const code of recipes) expect(text).toContain(code);
});

test("the hash of each entry can be computed from what the API gives, and the signed head is of the last", async () => {
  const { head, entries } = await parts();
  for (const entry of entries)
    expect([entry["sequence"], hashOf(entry)]).toEqual([entry["sequence"], entry["hash"]]);
  expect(entries.map(({ sequence }) => Number(sequence))).toEqual(entries.map((_, index) => index + 1));
  expect(entries.at(-1)).toMatchObject({ hash: head["hash"], sequence: head["sequence"] });
});

test("who had which role, computed from the entries, is what the API answers, at moments and in periods", async () => {
  const moments = await busy(80);
  const { head, entries } = await parts();
  const [who] = entries.flatMap(({ record }) => (record?.identityUid ? [record.identityUid] : []));
  const questions = moments.flatMap((from) => {
    const until = pick(moments.filter((one) => one >= from));
    const abouts = [
      { group: organization, below: true },
      { group: folder },
      { group: folder, below: true },
      { identity: who },
    ];
    return abouts.flatMap((about) => [
      { ...about, from },
      { ...about, from, until },
    ]);
  });
  const folded = answers(
    "access",
    questions.map((one) => ({ ...one, time: head["time"] })),
    entries,
  );
  let rows = 0;
  for (const [index, { from, ...rest }] of questions.entries()) {
    const search = new URLSearchParams({ ...rest, time: from } as Record<string, string>);
    const { held = [] } = await get(`/audit/v1/access?${search}`);
    rows += held.length;
    expect([questions[index], shown(folded[index]!["held"])]).toEqual([questions[index], shown(held)]);
  }
  expect(rows).toBeGreaterThan(50);
});

test("the history of a record, computed from the entries, is what the API lists", async () => {
  const { entries } = await parts();
  const records = [...new Set(entries.flatMap(({ subjects = [] }) => subjects as string[]))];
  const folded = answers(
    "history",
    records.map((uid) => ({ record: { uid } })),
    entries,
  );
  for (const [index, uid] of records.entries()) {
    const { auditEntries = [] } = await get(
      `/audit/v1/entries?record=${uid}&page_size=200&order_by=created_at`,
    );
    const own = (auditEntries as Wire[]).filter((one) => String(one["uid"]).startsWith(organization));
    expect([uid, folded[index]!["entries"].map(({ entry }: Wire) => entry).toSorted()]).toEqual([
      uid,
      own.map(({ sequence }) => sequence).toSorted(),
    ]);
  }
  expect(records.length).toBeGreaterThan(10);
});

test("what is changed in a bundle is found, and named", async () => {
  const early = await parts();
  const [from] = await busy(4);
  const all = await parts();
  const at = bundle("access", { group: organization, below: true, from }, all);
  const clean = run(at);
  expect([clean.status, clean.said]).toEqual([0, expect.stringContaining("VALID. Who asked")]);
  const [key] = all.keys;
  expect(clean.said).toContain(`Key: ${key?.["kid"]} (NOT compared`);
  expect(run(at, at, [`--key=${key?.["kid"]}`]).status).toBe(0);
  expect(run(at, at, [`--key=${"x".repeat(43)}`]).status).toBe(1);
  const { after, flip, write } = changing(at);
  for (const name of NAMES)
    expect(after(() => flip(name, 10, 1))).toMatchObject({
      status: 1,
      said: expect.stringContaining(`WRONG  ${name}`),
    });
  expect(after(() => flip("entries.jsonl", 500, 1), NAMES).said).toContain("WRONG  entries.jsonl line 1:");
  expect(after(() => write("head.jws", early.head["signature"]), NAMES)).toMatchObject({
    status: 1,
    said: expect.stringContaining(`WRONG  head.jws: is about entry ${early.head["sequence"]}`),
  });
});

test("the verifier and each program of an answer have at most 120 lines", () => {
  for (const name of ["verify", "access", "history", "review", "retention"])
    expect(readFileSync(join(VERIFIER, `${name}.mjs`), "utf8").split("\n").length - 1).toBeLessThanOrEqual(
      120,
    );
});
