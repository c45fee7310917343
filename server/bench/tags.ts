import path from "node:path";
import pg from "pg";

import { signIn } from "../platform/oidc/testing";
import { builtProgram, startBuilt } from "../testing/built-service";
import { backendsOf, cpuOf, rowsOf, sum } from "./cost";
import { freePort, send } from "./targets";

const TAGS = "/registry/v2/tags";
const OWNER = { email: "owner@demo.example", password: "platform-demo" };

interface Target {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly client: pg.Client;
  readonly stop: () => Promise<unknown>;
}

async function targetOf(text: string, publicUrl: string, port: string): Promise<Target> {
  const [, name = "", directory = "", url = ""] = /^([\w-]+)=(.*?)@(postgres.*)$/.exec(text) ?? [];
  if (url === "") throw new Error(`${text}: not NAME=[DIRECTORY]@DATABASE_URL`);
  const program = directory === "" ? builtProgram("main") : path.resolve(directory, "main.js");
  const variables = { DATABASE_URL: url, PUBLIC_URL: publicUrl, PORT: port, SEED: "none" };
  const service = await startBuilt(variables, { program });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const stop = async () => {
    await client.end();
    await service.end("SIGTERM");
  };
  return { name, url: `http://127.0.0.1:${port}`, pid: service.pid ?? 0, client, stop };
}

/** What is asked, by what it is called. */
function requestsOf(repo: string, digest: string, since: string): Record<string, Record<string, string>> {
  const all = { includeDates: "true", includeEpochs: "true", includeReferrers: "true" };
  const many = { "uidp.children_of": repo };
  const organization = { "uidp.descendants_of": repo.slice(0, 40) };
  const jump = { skip: "50000" };
  return {
    "repo, by uid": many,
    "repo, by name": { ...many, order_by: "name" },
    "repo, newest": { ...many, order_by: "updated_at desc" },
    "repo, all names, by name": { ...many, ...all, order_by: "name" },
    "repo, all names, oldest": { ...many, ...all, order_by: "created_at" },
    "repo, jump, by name": { ...many, ...jump, order_by: "name" },
    "repo, jump, newest": { ...many, ...jump, order_by: "updated_at desc" },
    "repo, jump, all names, by uid": { ...many, ...all, ...jump },
    "repo, jump, all names, by name": { ...many, ...all, ...jump, order_by: "name" },
    "repo, one digest": { ...many, digest },
    "repo, one name": { ...many, name: "latest" },
    "repo, changed since": { ...many, updatedSince: since, order_by: "updated_at desc" },
    "organization, by uid": organization,
    "organization, by name": { ...organization, order_by: "name" },
    "organization, newest": { ...organization, order_by: "updated_at desc" },
    "organization, all names, oldest": { ...organization, ...all, order_by: "created_at" },
    "organization, jump, newest": { ...organization, ...jump, order_by: "updated_at desc" },
    "organization, one name": { ...organization, name: "latest", order_by: "updated_at desc" },
  };
}

interface Cost {
  process: number;
  backends: number;
  readonly ms: number[];
}

/**
 * What lists of tags cost on databases of `platform-console seed --tags`, by builds given as `NAME=[DIRECTORY]@DATABASE_URL`,
 * which take turns. All databases are copies of one that has been started, so that its tokens are valid for all. Asserts nothing.
 */
export async function measureTags(rounds: number, texts: readonly string[]): Promise<string> {
  const publicUrl = process.env["PUBLIC_URL"] ?? "";
  const targets: Target[] = [];
  try {
    for (const [index, text] of texts.entries()) {
      const port = index === 0 ? new URL(publicUrl).port : String(await freePort());
      targets.push(await targetOf(text, publicUrl, port));
    }
    const { client } = targets[0]!;
    const { rows } = await client.query<{ uid: string; digest: string; since: Date }>(
      `with many as (select parent from tags group by parent order by count(*) desc limit 1)
       select parent as uid, min(digest) as digest,
         percentile_disc(0.9) within group (order by updated_at) as since
       from tags where parent = (select parent from many) group by parent`,
    );
    const { uid = "", digest = "", since = new Date() } = rows[0] ?? {};
    const requests = requestsOf(uid, digest, since.toISOString());
    const names = [...Object.keys(requests), "create"];
    const costs = targets.map(
      () => new Map(names.map((name): [string, Cost] => [name, { process: 0, backends: 0, ms: [] }])),
    );
    const ask = (at: string, token: string, name: string) =>
      name === "create"
        ? send("POST", `${at}${TAGS}/${uid}`, token, { name: `bench-${Date.now()}-${Math.random()}`, digest })
        : send("GET", `${at}${TAGS}?${new URLSearchParams(requests[name])}`, token);
    // The first round warms up.
    for (let round = -1; round < rounds; round++) {
      const { accessToken } = await signIn(publicUrl, OWNER);
      for (const name of names)
        for (const [index, target] of targets.entries()) {
          await ask(target.url, accessToken, name);
          const cost = costs[index]!.get(name)!;
          const before = { process: cpuOf(target.pid), backends: await backendsOf(target.client) };
          for (let count = 0; count < 20; count++) {
            const from = performance.now();
            await ask(target.url, accessToken, name);
            if (round >= 0) cost.ms.push(performance.now() - from);
          }
          if (round < 0) continue;
          const after = await backendsOf(target.client);
          cost.process += cpuOf(target.pid) - before.process;
          cost.backends += sum([...after].map(([pid, now]) => now - (before.backends.get(pid) ?? 0)));
        }
    }
    const times = names.map((name) => [
      name,
      ...costs.map((one) => {
        const { process: own, backends, ms } = one.get(name)!;
        const sorted = ms.toSorted((a, b) => a - b);
        const each = (used: number) => (used / ms.length).toFixed(1);
        return `${each(own)} + ${each(backends)}; ${sorted[Math.floor(ms.length / 2)]?.toFixed(1)}`;
      }),
    ]);
    const bytes = await Promise.all(
      targets.map(async ({ client: one }) => {
        const { rows: sizes } = await one.query<{ rows: number; indexes: number }>(
          `select pg_relation_size('tags') / count(*) as rows, pg_indexes_size('tags') / count(*) as indexes from tags`,
        );
        return `${sizes[0]?.rows} + ${sizes[0]?.indexes}`;
      }),
    );
    return rowsOf([
      ["CPU ms, service + PostgreSQL; p50 ms", ...targets.map(({ name }) => name)],
      ["---", ...targets.map(() => "---:")],
      ["bytes of a tag, row + indexes", ...bytes],
      ...times,
    ]);
  } finally {
    for (const target of targets) await target.stop();
  }
}
