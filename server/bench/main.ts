import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { startPostgres, type TemporaryPostgres } from "../testing/postgres";
import type { ScaleOptions } from "../seed/scale-options";
import { measurePages, type Result } from "./pages";
import { hostLine, pagesTable, promises } from "./report";
import { startWorld } from "./world";

const quick = process.argv.includes("--quick");
const size: ScaleOptions = quick
  ? {
      groups: 5_000,
      depth: 10,
      identities: 5_000,
      bindings: 500,
      repos: 0,
      tags: 0,
      visible: [1, 10, 100, 1_000],
    }
  : {
      groups: 100_000,
      depth: 10,
      identities: 100_000,
      bindings: 10_000,
      repos: 0,
      tags: 0,
      visible: [1, 10, 100, 1_000],
    };
const repeats = quick ? 5 : 40;
const data = process.env["BENCH_DATA"] ?? path.join(tmpdir(), `platform-bench-${size.groups}`);
const output = process.env["BENCH_OUTPUT"] ?? path.join(tmpdir(), "platform-bench-output");

const say = (text: string) => void process.stderr.write(`${text}\n`);
const versions: string[] = [];

async function measureOn(where: Parameters<typeof startWorld>[0]): Promise<Result[]> {
  const world = await startWorld(where, size);
  try {
    const [row] = await world.service.database.query<{ server_version: string }>("show server_version");
    const { kind } = world.service.database;
    versions.push(
      `${kind === "embedded" ? "PGlite, PostgreSQL" : "PostgreSQL"} ${row?.server_version.split(" ")[0]}`,
    );
    say(`Pages, ${kind}:`);
    return await measurePages(world, size, size.visible, repeats);
  } finally {
    await world.stop();
  }
}

/** None is no failure: the embedded figures stand by themselves. */
async function postgres(): Promise<TemporaryPostgres | undefined> {
  try {
    return await startPostgres();
  } catch (error) {
    say(`No PostgreSQL here, skipped: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

const results = await measureOn({ DATA_DIR: data });
const server = await postgres();
if (server)
  try {
    results.push(...(await measureOn({ DATABASE_URL: server.url })));
  } finally {
    await server.stop();
  }

const rows = `${size.groups.toLocaleString("en")} groups, ${size.identities.toLocaleString("en")} identities`;
const promised = promises(results).join("\n");
mkdirSync(output, { recursive: true });
writeFileSync(path.join(output, "pages.md"), `${pagesTable(results)}\n\n\`\`\`text\n${promised}\n\`\`\``);
writeFileSync(path.join(output, "host.md"), hostLine(rows, versions));
process.stdout.write(`${pagesTable(results)}\n\n${promised}\n`);
