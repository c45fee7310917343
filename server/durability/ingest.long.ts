import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";

import { openEmbedded } from "../platform/store/embedded";
import { migrate } from "../platform/store/migrate";
import { commandLine, surroundings } from "../testing/built-service";
import { addGroups, GROUP } from "../testing/ingesting";
import { random } from "./random";

const FILES = 3_000;
const ROUNDS = 8;
const HALF_AN_HOUR = 30 * 60_000;
/** A different seed kills at other moments. */
const SEED = Number(process.env["KILL_SEED"] ?? 20_261_123);

let directory: string;
const osv = () => path.join(directory, "osv");
const data = () => path.join(directory, "data");

const record = (index: number) => ({
  id: `GHSA-${index}`,
  modified: "2026-02-03T00:00:00Z",
  aliases: [`CVE-2026-${100_000 + index}`],
  details: "x".repeat(2_000),
  affected: [{ package: { ecosystem: "npm", name: `p${index}` } }],
});

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "kill-ingest-"));
  await mkdir(osv());
  for (let index = 0; index < FILES; index++)
    await writeFile(path.join(osv(), `${10_000 + index}.json`), JSON.stringify(record(index)));
  await withDatabase(async (database) => {
    await migrate(database);
    await addGroups(database, [GROUP]);
  });
}, HALF_AN_HOUR);
afterAll(() => rm(directory, { recursive: true, force: true }));

async function withDatabase<T>(work: (database: Awaited<ReturnType<typeof openEmbedded>>) => Promise<T>) {
  const database = await openEmbedded(data());
  return work(database).finally(() => database.close());
}

/**
 * Runs the ingest, optionally with a signal `after` milliseconds after its first files; returns its output and exit
 * code.
 */
async function run(signal?: NodeJS.Signals, after = 0) {
  const child = spawn(process.execPath, commandLine("ingest", "--group", GROUP, osv()), {
    env: { ...surroundings(), DATA_DIR: data() },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "exit") as Promise<[number | null]>;
  let said = "";
  const begun = new Promise<void>((resolve) =>
    child.stderr.on("data", (text) => (said += String(text)).includes(" files") && resolve()),
  );
  if (signal) {
    await Promise.race([begun, ended]);
    await wait(after);
    child.kill(signal);
  }
  const [code] = await ended;
  const figures = [...said.matchAll(/([\d,]+) of [\d,]+ files/g)].map(([, n = ""]) =>
    Number(n.replaceAll(",", "")),
  );
  return { code, said, files: Math.max(0, ...figures) };
}

/** Each file has one advisory, two events (found, and open), and two metadata entries. */
const held = () =>
  withDatabase(async (database) => {
    const [row] = await database.query<{ a: number; e: number; m: number }>(
      `select (select count(*)::int from advisories) as a, (select count(*)::int from advisory_events) as e,
         (select count(*)::int from vulnerability_metadata) as m`,
    );
    expect(row).toEqual({ a: row?.a, e: 2 * (row?.a ?? 0), m: 2 * (row?.a ?? 0) });
    return row?.a ?? 0;
  });

test(
  "what ingest has said is there after SIGTERM, SIGINT and kill -9, and the same command goes on",
  async () => {
    const chance = random(SEED);
    let before = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const signal = (["SIGKILL", "SIGTERM", "SIGKILL", "SIGINT"] as const)[round % 4] ?? "SIGKILL";
      const { code, said, files } = await run(signal, chance() * 1_500);
      const now = await held();
      expect(now).toBeGreaterThanOrEqual(Math.max(files, before));
      if (signal === "SIGKILL") expect([null, 0]).toContain(code);
      else if (code !== 0) {
        expect(code).toBe(signal === "SIGTERM" ? 143 : 130);
        expect(said).toMatch(
          new RegExp(`Stopped by ${signal}. ${files.toLocaleString("en")} of 3,000 files`),
        );
      }
      before = now;
      console.log(`${signal}: ${files} files said, ${now} held, code ${code}`);
    }
    const { code, said } = await run();
    expect([code, said]).toEqual([0, expect.stringContaining("3,000 files: 3,000 advisories")]);
    expect(await held()).toBe(FILES);
  },
  HALF_AN_HOUR,
);
