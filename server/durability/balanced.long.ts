import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { openPostgres } from "../platform/store/postgres";
import { freePort, send } from "../testing/app";
import { startBuilt, type BuiltService } from "../testing/built-service";
import { ownPostgres, type OwnPostgres } from "../testing/postgres";
import { halfDone } from "./half-done";
import { unfaithful } from "./logged";
import { random } from "./random";
import { Api, Writer } from "./writers";

const ROUNDS = 15;
const WRITERS = 6;
const SECRET = "balanced-0123456789";
const SEED = Number(process.env["KILL_SEED"] ?? 20_261_128);
const HALF_AN_HOUR = 30 * 60_000;
const installed = spawnSync("haproxy", ["-v"]).status === 0;

let server: OwnPostgres;
let directory: string;
beforeAll(async () => {
  server = await ownPostgres();
  directory = await mkdtemp(path.join(tmpdir(), "balanced-"));
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

/** HAProxy as docs/operate/data.md has it, without TLS. */
async function startBalancer(port: number, services: readonly number[]): Promise<ChildProcess> {
  const file = path.join(directory, "haproxy.cfg");
  await writeFile(
    file,
    `defaults
  mode http
  timeout connect 2s
  timeout client 70s
  timeout server 70s
  timeout check 5s
  retries 3
  option redispatch 1
frontend console
  bind 127.0.0.1:${port}
  option forwardfor
  default_backend service
backend service
  balance roundrobin
  option http-server-close
  http-reuse never
  option httpchk
  http-check send meth GET uri /readyz
  retry-on conn-failure empty-response response-timeout 503
  http-request disable-l7-retry unless METH_GET
  default-server check inter 500ms fall 1 rise 1
${services.map((each, index) => `  server process${index} 127.0.0.1:${each}`).join("\n")}
`,
  );
  return spawn("haproxy", ["-db", "-f", file], { stdio: "ignore" });
}

test.runIf(installed)(
  "kill -9 of one of two processes behind HAProxy loses no acknowledged write and invents none",
  async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const ports = [await freePort(), await freePort()];
    const start = (own: number): Promise<BuiltService> =>
      startBuilt({
        DATABASE_URL: server.url,
        PUBLIC_URL: url,
        TRUST_PROXY: "1",
        SEED: "demo",
        AUTOMATION_CLIENT_SECRET: SECRET,
        TRUSTED_ISSUERS: "https://issuer.example",
        PORT: String(own),
      });
    const services: BuiltService[] = [];
    for (const own of ports) services.push(await start(own));
    const balancer = await startBalancer(port, ports);
    const ready = () =>
      send(`${url}/readyz`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(ready, { timeout: 60_000 }).toBe(200);

    const chance = random(SEED);
    const writers = Array.from({ length: WRITERS }, (_, index) => new Writer(`w${index}`, chance));
    const figures = { rounds: 0, acknowledged: 0, arrived: 0, lost: [] as string[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const api = new Api(url, SECRET);
      await api.signIn();
      let written = 0;
      let stopped = false;
      const count = () => {
        written += 1;
        figures.acknowledged += 1;
        // The other process goes on: its writers have no end of their own.
        if (stopped) throw new Error("stopped");
      };
      const running = Promise.all(writers.map((writer) => writer.run(api, count)));
      const polled = async (enough: number) => {
        await expect.poll(() => written, { timeout: 120_000, interval: 5 }).toBeGreaterThan(enough);
      };
      const until = (enough: number) => Promise.race([running, polled(enough)]);
      await until(20 + chance() * 100);
      const victim = round % 2;
      await services[victim]?.end("SIGKILL");
      await until(written + 20);
      stopped = true;
      await running;
      services[victim] = await start(ports[victim] ?? 0);
      await expect.poll(ready, { timeout: 60_000 }).toBe(200);
      const actual = await api.everything();
      for (const { lost, arrived } of writers.map((each) => each.ledger.settle(actual, each.mine))) {
        figures.lost.push(...lost);
        figures.arrived += arrived;
      }
      figures.rounds += 1;
    }
    console.log(
      `behind HAProxy: ${figures.rounds} rounds (seed ${SEED}), ${figures.acknowledged} acknowledged writes, ` +
        `${figures.lost.length} lost; of those without an answer ${figures.arrived} had arrived`,
    );
    for (const service of services) expect(await service.end("SIGTERM")).toBe(0);
    balancer.kill("SIGKILL");
    expect(figures.lost).toEqual([]);
    expect(writers.flatMap(({ odd }) => odd)).toEqual([]);
    const database = await openPostgres(server.url);
    expect(await halfDone(database)).toEqual([]);
    expect(await unfaithful(database)).toEqual([]);
    await database.close();
  },
  HALF_AN_HOUR,
);
