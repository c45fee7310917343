import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

import { commandLine, startBuilt, surroundings } from "../testing/built-service";
import { databaseOn, ownPostgres, type OwnPostgres } from "../testing/postgres";
import { Api } from "./writers";

const SECRET = "backup-0123456789abcdef";
const WRITERS = 4;
/** Groups that each writer has written before the backup, and at least after it. */
const BEFORE = 50;
const run = promisify(execFile);

let directory: string;
let server: OwnPostgres;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "backup-"));
  server = await ownPostgres();
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

const command = (place: Record<string, string>, name: string, ...args: string[]) =>
  run(process.execPath, commandLine(name, ...args), { env: { ...surroundings(), ...place } });

/** Creates groups one after the other, and knows how many were acknowledged. */
class Creator {
  sent = 0;
  acknowledged = 0;
  /** Milliseconds of the slowest. */
  slowest = 0;
  isOver = false;

  constructor(readonly index: number) {}

  async run(api: Api, parent: string): Promise<void> {
    while (!this.isOver) {
      const name = `w${this.index}-${String(this.sent).padStart(6, "0")}`;
      const begin = performance.now();
      this.sent += 1;
      // oxlint-disable-next-line no-await-in-loop
      const { status, json } = await api.call("POST", `groups/${parent}`, { name });
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`);
      this.acknowledged += 1;
      this.slowest = Math.max(this.slowest, performance.now() - begin);
    }
  }
}

test.each(["embedded", "postgres"] as const)(
  "a backup while writes run (%s) is good, restores to one moment, and keeps nobody from writing",
  async (kind) => {
    const { url, stop } = await databaseOn(server.url);
    const restored = await databaseOn(server.url);
    const place = (name: string, at: string): Record<string, string> =>
      kind === "embedded" ? { DATA_DIR: path.join(directory, name) } : { DATABASE_URL: at };
    const [source, target] = [place("source", url), place("target", restored.url)];
    const folder = path.join(directory, kind);
    await mkdir(folder);
    const variables = { SEED: "demo", AUTOMATION_CLIENT_SECRET: SECRET, SECRET_KEY: "x".repeat(32) };
    const service = await startBuilt({ ...variables, ...source, PORT: "0" });
    const api = new Api(service.url, SECRET);
    await api.signIn();
    const { json } = await api.call("GET", "groups?uidp.in_root=true");
    const parent: string = json.groups[0].uid;
    const creators = Array.from({ length: WRITERS }, (_, index) => new Creator(index));
    const writing = Promise.all(creators.map((creator) => creator.run(api, parent)));
    const least = () => Math.min(...creators.map(({ acknowledged }) => acknowledged));
    await expect.poll(least, { timeout: 60_000 }).toBeGreaterThan(BEFORE);
    const before = creators.map(({ acknowledged }) => acknowledged);
    const { stderr } = await command(source, "backup", "--keep", "1", folder);
    const after = creators.map(({ sent }) => sent);
    await expect.poll(least, { timeout: 60_000 }).toBeGreaterThan(Math.max(...after) + BEFORE);
    for (const creator of creators) creator.isOver = true;
    await writing;
    expect(await service.end("SIGTERM")).toBe(0);

    const files = (await readdir(folder)).toSorted();
    expect(files).toEqual([
      expect.stringMatching(/^platform-console-\d{8}T\d{6}Z\.gz$/),
      expect.stringMatching(/\.gz\.json$/),
    ]);
    expect(stderr).toContain("Backed up to");
    const file = path.join(folder, files[0]!);
    expect((await command({}, "verify-backup", folder)).stderr).toMatch(
      /is good: .* audit log as they were written/,
    );
    await command(target, "import", "--from", file);

    const again = await startBuilt({ ...variables, ...target, PORT: new URL(service.url).port });
    const other = new Api(again.url, SECRET);
    await other.signIn();
    const names = [...(await other.everything()).values()].map(({ name }) => name);
    expect(await again.end("SIGTERM")).toBe(0);
    for (const { index } of creators) {
      const own = names.filter((name) => name.startsWith(`w${index}-`)).toSorted();
      // What is there is what the writer wrote first: nothing is missing in between.
      expect(own).toEqual(own.map((_, n) => `w${index}-${String(n).padStart(6, "0")}`));
      expect(own.length).toBeGreaterThanOrEqual(before[index]!);
      expect(own.length).toBeLessThanOrEqual(after[index]!);
    }
    const manifest = JSON.parse(await readFile(`${file}.json`, "utf8"));
    expect(manifest.tables.groups).toBe(names.length - Number(manifest.tables.identities));
    const written = creators.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    const slowest = Math.max(...creators.map((one) => one.slowest));
    console.log(`${kind}: ${written} writes acknowledged, the slowest took ${Math.round(slowest)} ms`);
    await stop();
    await restored.stop();
  },
);
