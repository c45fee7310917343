import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, beforeAll, expect, it, vi } from "vitest";

import { connect } from "~/api/client/client";

import { makeProof, type ProofInput } from "./make-proof";

const SERVICE = "https://console.example.com";
const ORGANIZATION = "a".repeat(40);
const RECORD = `${ORGANIZATION}/${"b".repeat(16)}`;
const TIME = "2026-11-30T12:00:00.123Z";

interface Entry extends Record<string, unknown> {
  readonly sequence: string;
  readonly hash: string;
}

/** A chain as the service writes it; every hundredth entry is about the record. */
function chain(count: number): Entry[] {
  const made: Entry[] = [];
  for (let number = 1; number <= count; number += 1) {
    const uid = `${ORGANIZATION}/${number.toString(16).padStart(16, "0")}`;
    // Several at the same moment: the API orders those by uid.
    const createTime = new Date(1_780_000_000_000 + Math.floor(number / 7)).toISOString();
    const text = {
      outcome: "OUTCOME_DONE",
      action: number === 1 ? "groups.create" : "repos.update",
      record: { kind: "repos", uid: number % 100 === 0 ? RECORD : uid, name: 'web – \u2028"é"' },
      change: number === 1 ? "created" : "updated",
      changes: [{ field: "description", after: JSON.stringify("x".repeat(number % 300)) }],
      request: { transport: "http" },
    };
    const previousHash = made.at(-1)?.hash ?? "";
    const hash = createHash("sha256")
      .update([previousHash, number, uid, Date.parse(createTime), JSON.stringify(text)].join("\n"))
      .digest("hex");
    made.push({ uid, createTime, ...text, sequence: String(number), hash, previousHash });
  }
  return made;
}

let keys: object[];
let sign: (head: Entry) => Promise<string>;
beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  keys = [{ ...jwk, kid, alg: "ES256" }];
  sign = ({ sequence, hash }) =>
    new SignJWT({ organization: ORGANIZATION, sequence, hash })
      .setProtectedHeader({ alg: "ES256", kid, typ: "platform-audit-head+jwt" })
      .setIssuer(SERVICE)
      .setIssuedAt(Math.floor(Date.parse(TIME) / 1000))
      .sign(privateKey);
});
afterEach(() => vi.unstubAllGlobals());

/** Answers as the service does, of these entries; the order within a moment is another one. */
function serve(entries: readonly Entry[], head: Entry | undefined, failing = 0): { pages: number } {
  const seen = { pages: 0 };
  const left = new Map(["/audit/v1/heads", "/audit/v1/entries"].map((path) => [path, failing]));
  const shuffled = entries.toSorted(
    (one, other) =>
      Number(String(one["createTime"]) > String(other["createTime"])) -
        Number(String(one["createTime"]) < String(other["createTime"])) ||
      Number(other.sequence) - Number(one.sequence),
  );
  const answer = async (url: URL): Promise<unknown> => {
    const { searchParams: query, pathname } = url;
    if (pathname.endsWith("/jwks.json")) return { keys };
    if (pathname === "/audit/v1/heads")
      return {
        heads: head ? [{ organization: ORGANIZATION, time: TIME, ...head, signature: await sign(head) }] : [],
      };
    seen.pages += 1;
    const record = query.get("record");
    const wanted = record
      ? entries.filter((one) => (one["record"] as { uid: string }).uid === record)
      : shuffled;
    const from = Number(query.get("page_token") ?? 0);
    const page = wanted.slice(from, from + 200);
    return {
      auditEntries: page,
      totalCount: String(wanted.length),
      ...(from + 200 < wanted.length && { nextPageToken: String(from + 200) }),
    };
  };
  vi.stubGlobal("fetch", async (input: string) => {
    const { pathname } = new URL(input);
    const failures = left.get(pathname) ?? 0;
    if (failures > 0) {
      left.set(pathname, failures - 1);
      return Response.json({ code: 14, message: "Busy", details: [] }, { status: 503 });
    }
    return Response.json(await answer(new URL(input)));
  });
  connect({ baseUrl: SERVICE, token: async () => "token", onUnauthenticated: () => undefined });
  return seen;
}

const INPUT: ProofInput = {
  ask: { kind: "history", record: { uid: RECORD } },
  organization: { uid: ORGANIZATION, name: "acme" },
  by: { uid: "c", name: "ann@acme.example" },
  address: SERVICE,
  folder: "proof",
};
const make = (
  signal = new AbortController().signal,
  onProgress: (read: number, total: number) => void = () => {},
) =>
  makeProof(INPUT, { signal, onProgress, retry: { retry: (failures) => failures < 3, retryDelay: () => 1 } });

it(
  "packs ten thousand entries with what proves them, in pages, and the verifier accepts it",
  { timeout: 60_000 },
  async () => {
    const entries = chain(10_000);
    const seen = serve(entries, entries.at(-1), 2);
    const progress: number[] = [];
    const { blob, entries: count, unknown } = await make(undefined, (read) => progress.push(read));
    expect([count, unknown]).toEqual([10_000, []]);
    expect(seen.pages).toBe(51);
    expect(progress.at(-1)).toBe(10_000);
    expect(progress.length).toBeGreaterThan(40);
    const files = unzipSync(new Uint8Array(await blob.arrayBuffer()));
    const folder = mkdtempSync(join(tmpdir(), "proof-"));
    try {
      for (const [path, bytes] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), bytes);
      }
      const { status, stdout } = spawnSync(process.execPath, [join(folder, "proof", "verify.mjs")], {
        encoding: "utf8",
      });
      expect([status, stdout]).toEqual([0, expect.stringContaining("Entries: 1 to 10000, none changed")]);
    } finally {
      rmSync(folder, { recursive: true });
    }
    const text = (name: string) => new TextDecoder().decode(files[`proof/${name}`]);
    expect(text("entries.jsonl")).toBe(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    expect(JSON.parse(text("answer.json")).entries).toHaveLength(100);
    expect(text("README.txt")).toContain(`the log of organization ${ORGANIZATION}, 10,000 entries`);
  },
);

it("makes none where an entry is missing, where the end can't be read, or where the console shows less", async () => {
  const entries = chain(500);
  serve(entries.toSpliced(250, 1), entries.at(-1));
  await expect(make()).rejects.toThrow("You can't read entry 251 of this log");
  serve(entries.slice(0, 490), entries.at(-1));
  await expect(make()).rejects.toThrow("The log couldn't be read to its end.");
  serve(entries, undefined);
  await expect(make()).rejects.toThrow("You can't read the log of this organization.");
  serve(entries, entries.at(-1), 9);
  await expect(make()).rejects.toThrow("Busy");
  // Entries after the signed one are left out.
  serve(entries, entries[299]);
  expect(await make()).toMatchObject({ entries: 300 });
});

it("stops", async () => {
  const entries = chain(3_000);
  serve(entries, entries.at(-1));
  const own = new AbortController();
  await expect(make(own.signal, () => own.abort(new Error("stopped")))).rejects.toThrow("stopped");
});
