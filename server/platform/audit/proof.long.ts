import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";

import { builtInRoleUid } from "../../domains/access/roles.table";
import type { Wire } from "../../conformance/world";
import { json, NAMES, openProof, run } from "./testing-proof";

let { organization, parts, busy, bundle, changing, close } = {} as Awaited<ReturnType<typeof openProof>>;
beforeAll(async () => {
  ({ organization, parts, busy, bundle, changing, close } = await openProof());
});
afterAll(() => close());

/** Where a Node of this version is: this one, or one from the registry. */
const nodeOf = (version: string): string =>
  process.versions.node.startsWith(`${version}.`)
    ? process.execPath
    : execFileSync(
        "npm",
        ["exec", "-y", `--package=node@${version}`, "--", "node", "-p", "process.execPath"],
        { encoding: "utf8" },
      ).trim();

test.each(["20", "24"])(
  "with Node %s, whatever is changed in a bundle is found, and named",
  async (version) => {
    const node = nodeOf(version);
    const early = await parts();
    const [from] = await busy(8);
    const all = await parts();
    const at = bundle("access", { group: organization, below: true, from }, all);
    const clean = run(at, at, [], node);
    expect([clean.status, clean.said]).toEqual([0, expect.stringContaining("VALID. Who asked")]);
    expect(clean.said).toContain(`Key: ${all.keys[0]?.["kid"]} (NOT compared`);

    const { copy, after, flip, write } = changing(at, node);
    const textOf = (name: string) => readFileSync(join(copy, name), "utf8");

    // One bit of each file, at many places.
    for (const name of [...NAMES, "SHA256SUMS"])
      for (let turn = 0; turn < 25; turn += 1) {
        const place = Math.floor(Math.random() * 1e6);
        const found = after(() => flip(name, place, turn % 8));
        expect([name, place, found.status, found.said]).toEqual([
          name,
          place,
          1,
          expect.stringContaining("WRONG"),
        ]);
        // A flipped name in the manifest is a file that it doesn't name.
        if (name !== "SHA256SUMS") expect(found.said).toContain(`WRONG  ${name}`);
      }

    // With the manifest written anew, the chain finds what was changed in the entries, on its line.
    const lines = readFileSync(join(at, "entries.jsonl"), "utf8").trimEnd().split("\n");
    for (let line = 0; line < lines.length; line += 1) {
      const length = Buffer.byteLength(lines[line]!);
      const start = Buffer.byteLength(lines.slice(0, line).join("\n")) + (line === 0 ? 0 : 1);
      const place = start + Math.floor(Math.random() * length);
      const found = after(() => flip("entries.jsonl", place, Math.floor(Math.random() * 7)), NAMES);
      expect([line, place, found.status, found.said]).toEqual([
        line,
        place,
        1,
        expect.stringContaining(`WRONG  entries.jsonl line ${line + 1}`),
      ]);
    }

    // Each entry left out.
    for (let line = 0; line < lines.length; line += 1) {
      const found = after(
        () =>
          write(
            "entries.jsonl",
            lines
              .filter((_, index) => index !== line)
              .map((one) => `${one}\n`)
              .join(""),
          ),
        NAMES,
      );
      expect([line, found.status]).toEqual([line, 1]);
      if (line === 0) expect(found.said).toContain("WRONG  answer.json line");
      else if (line === lines.length - 1) expect(found.said).toContain("WRONG  head.jws");
      else
        expect(found.said).toContain(
          `WRONG  entries.jsonl line ${line + 1}: has entry ${line + 2} instead of ${line + 1}`,
        );
    }

    // Two in each other's place.
    for (let turn = 0; turn < 10; turn += 1) {
      const place = Math.floor(Math.random() * (lines.length - 1));
      const swapped = lines.with(place, lines[place + 1]!).with(place + 1, lines[place]!);
      const found = after(() => write("entries.jsonl", swapped.map((one) => `${one}\n`).join("")), NAMES);
      expect([found.status, found.said]).toEqual([
        1,
        expect.stringMatching(new RegExp(`entries\\.jsonl line (?:${place + 1}|${place + 2}):`)),
      ]);
    }

    // An older head, which the service did sign.
    expect(after(() => write("head.jws", early.head["signature"]), NAMES)).toMatchObject({
      status: 1,
      said: expect.stringContaining(`WRONG  head.jws: is about entry ${early.head["sequence"]}`),
    });

    // Another answer, with its hash in the manifest.
    const answer = JSON.parse(readFileSync(join(at, "answer.json"), "utf8")) as { held: Wire[] };
    const [role] = answer.held;
    const line =
      json(answer)
        .split("\n")
        .findIndex((one) => one.includes(String(role?.["role"]))) + 1;
    role!["role"] =
      builtInRoleUid("viewer") === role!["role"] ? builtInRoleUid("owner") : builtInRoleUid("viewer");
    expect(after(() => write("answer.json", json(answer)), NAMES)).toMatchObject({
      status: 1,
      said: expect.stringContaining(`WRONG  answer.json line ${line}:`),
    });

    // Another question: nobody held anything yet.
    const early2020 = textOf("question.json").replace(String(from), "2020-01-01T00:00:00.000Z");
    expect(after(() => write("question.json", early2020), NAMES)).toMatchObject({
      status: 1,
      said: expect.stringContaining("WRONG  answer.json line"),
    });

    // Keys of somebody else: with the old ID, with their own, and with a head that they signed.
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
    const foreign: Wire = await exportJWK(publicKey);
    const own = await calculateJwkThumbprint(foreign);
    const ours = all.keys[0]?.["kid"];
    for (const kid of [ours, own])
      expect(after(() => write("keys.json", json({ keys: [{ ...foreign, kid }] })), NAMES)).toMatchObject({
        status: 1,
        said: expect.stringMatching(/WRONG {2}(?:keys\.json|head\.jws)/),
      });
    const claims = decodeJwt(all.head["signature"]);
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: "ES256", kid: own, typ: "platform-audit-head+jwt" })
      .sign(privateKey);
    const replaced = after(() => {
      write("keys.json", json({ keys: [{ ...foreign, kid: own }] }));
      write("head.jws", forged);
    }, NAMES);
    // Nothing in the bundle can tell: the verifier says whose key it took, and to compare it.
    expect([replaced.status, replaced.said]).toEqual([
      0,
      expect.stringContaining(`Key: ${own} (NOT compared`),
    ]);
    expect(run(at, copy, [`--key=${ours}`], node)).toMatchObject({
      status: 1,
      said: expect.stringContaining(`WRONG  keys.json: has the key ${own}, not ${ours}`),
    });

    // A file that isn't there.
    for (const name of NAMES)
      expect(after(() => rmSync(join(copy, name)))).toMatchObject({
        status: 1,
        said: expect.stringContaining(`WRONG  ${name}`),
      });
  },
);
