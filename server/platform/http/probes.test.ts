import { once } from "node:events";
import { connect } from "node:net";
import { expect, test, vi } from "vitest";

import { readConfig } from "../../config";
import { createLog } from "../../log";
import { migrations } from "../store/migrations/index";
import { unavailable } from "../store/refusals";
import { listenFirst, send } from "../../testing/app";
import { closeServer } from "../../testing/site";
import { openEmpty, openMigrated } from "../../testing/database";
import { startService } from "../../testing/service";
import { createProbes } from "./probes";

const PATHS = ["/livez", "/readyz", "/healthz"];

/** The status line and body of the answer to exactly these bytes. */
async function raw(port: number, text: string): Promise<[line: string, body: string]> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.on("data", (bytes) => (answer += String(bytes)));
  socket.write(text);
  await once(socket, "end");
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  return [head.split("\r\n", 1)[0] ?? "", body];
}

/** Probes in front of a listener that says that it was asked. */
async function startProbes(publicUrl = "http://127.0.0.1/tools", log = createLog("silent")) {
  const { origin, serve, server } = await listenFirst();
  const probes = createProbes(readConfig({ PUBLIC_URL: publicUrl }), log);
  serve(probes.before((_request, response) => void response.writeHead(418).end()));
  const statuses = async (paths: readonly string[]) => {
    const found: number[] = [];
    // oxlint-disable-next-line no-await-in-loop -- in order
    for (const path of paths) found.push((await send(`${origin}${path}`)).status);
    return found;
  };
  return { probes, statuses, origin, stop: () => closeServer(server) };
}

test("a process lives from its first moment to its last, and is ready in between", async () => {
  const { probes, statuses, origin, stop } = await startProbes();
  expect(await statuses(PATHS)).toEqual([200, 503, 503]);
  expect((await send(`${origin}/readyz`)).json.message).toBe("The service is starting");
  const database = await openMigrated();
  probes.serve(database);
  expect(await statuses(PATHS)).toEqual([200, 200, 200]);
  expect((await send(`${origin}/healthz`)).json).toEqual({ status: "ok" });
  probes.leave();
  expect(await statuses(PATHS)).toEqual([200, 503, 503]);
  expect((await send(`${origin}/healthz`)).json.message).toBe("The service is stopping");
  await database.close();
  await stop();
});

test("the reason is said if the database is gone, or is that of an older program", async () => {
  const { probes, origin, stop } = await startProbes();
  const database = await openMigrated();
  probes.serve(database);
  await database.query("delete from schema_migrations where id = (select max(id) from schema_migrations)");
  const older = await send(`${origin}/readyz`);
  expect([older.status, older.json.message]).toEqual([
    503,
    `The database lacks the migration ${migrations.at(-1)?.id}: restart the service`,
  ]);
  const empty = await openEmpty();
  probes.serve(empty);
  const lacking = await send(`${origin}/readyz`);
  expect(lacking.json.message).toBe(
    `The database lacks ${migrations.length} migrations, ${migrations[0]?.id} first: restart the service`,
  );
  probes.serve({ query: () => Promise.reject(new Error("deliberate")) });
  const gone = await send(`${origin}/readyz`);
  expect([gone.status, gone.headers["retry-after"], gone.json.message]).toEqual([
    503,
    "5",
    "The database is not responding",
  ]);
  expect((await send(`${origin}/livez`)).status).toBe(200);
  await database.close();
  await empty.close();
  await stop();
});

test("a database that hangs is asked once, however many ask", async () => {
  const { probes, origin, stop } = await startProbes();
  let asked = 0;
  let answer = (_rows: never[]) => {};
  const hanging = new Promise<never[]>((resolve) => (answer = resolve));
  probes.serve({ query: () => ((asked += 1), hanging) });
  const all = Promise.all([1, 2, 3].map(() => send(`${origin}/readyz`)));
  expect((await send(`${origin}/livez`)).status).toBe(200);
  answer([]);
  expect((await all).map(({ status }) => status)).toEqual([503, 503, 503]);
  expect(asked).toBe(1);
  await stop();
});

test("the log has one line when it stops being ready, and one when it is ready again", async () => {
  const lines: unknown[] = [];
  const log = createLog("info", { write: (line) => lines.push(JSON.parse(line)) });
  const { probes, statuses, stop } = await startProbes(undefined, log);
  let failure: Error | undefined;
  const rows = migrations.map(({ id }) => ({ id }));
  probes.serve({ query: () => (failure ? Promise.reject(failure) : Promise.resolve(rows as never[])) });
  expect(await statuses(["/readyz", "/readyz"])).toEqual([200, 200]);
  expect(lines).toEqual([]);
  failure = unavailable("the files of the database are gone", new Error("ENOENT"));
  expect(await statuses(["/readyz", "/healthz", "/readyz"])).toEqual([503, 503, 503]);
  failure = undefined;
  expect(await statuses(["/readyz", "/readyz"])).toEqual([200, 200]);
  expect(lines).toMatchObject([
    {
      level: 50,
      msg: "not ready",
      reason: "The files of the database are gone",
      err: { cause: { message: "ENOENT" } },
    },
    { level: 30, msg: "ready again", seconds: 0 },
  ]);
  await stop();
});

test("the database is looked at by time, too: nobody has to ask", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { probes, stop } = await startProbes();
  let asked = 0;
  probes.serve({ query: () => Promise.resolve(((asked += 1), [])) });
  vi.advanceTimersByTime(5_000);
  await expect.poll(() => asked).toBe(1);
  probes.leave();
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  expect(asked).toBe(1);
  await stop();
});

test("a probe is below the path of PUBLIC_URL or not, and nothing else is one", async () => {
  const { statuses, stop } = await startProbes();
  const probes = PATHS.flatMap((path) => [path, `${path}?x=/`, `/tools${path}`]);
  expect(new Set(await statuses(probes))).toEqual(new Set([200, 503]));
  expect(await statuses(["/iam/v2/groups/healthz", "/elsewhere/livez", "/tools", "/"])).toEqual([
    418, 418, 418, 418,
  ]);
  await stop();
});

test("balancers need no Host: HTTP/1.0, and HAProxy's check without further options", async () => {
  const service = await startService();
  const port = Number(new URL(service.url).port);
  for (const line of [...PATHS.map((path) => `GET ${path}`), "HEAD /readyz", "OPTIONS /livez", "OPTIONS /"])
    // oxlint-disable-next-line no-await-in-loop
    expect([line, ...(await raw(port, `${line} HTTP/1.0\r\n\r\n`))]).toEqual([
      line,
      "HTTP/1.1 200 OK",
      line.startsWith("HEAD") ? "" : '{"status":"ok"}',
    ]);
  expect(await raw(port, "GET /openapi.json HTTP/1.0\r\n\r\n")).toEqual([
    "HTTP/1.1 200 OK",
    expect.any(String),
  ]);
  expect((await raw(port, "GET /iam/v2/groups HTTP/1.0\r\n\r\n"))[0]).toBe("HTTP/1.1 401 Unauthorized");
  // Required since HTTP/1.1 (RFC 9112, section 3.2).
  expect((await raw(port, "GET /livez HTTP/1.1\r\n\r\n"))[0]).toBe("HTTP/1.1 400 Bad Request");
  const { headers } = await send(`${service.url}/livez`);
  expect(headers["content-security-policy"]).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(headers["cache-control"]).toBe("no-store");
  await service.stop();
});
