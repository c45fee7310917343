import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, expect, test, vi } from "vitest";

import { readAuditTarget } from "../../../audit-targets";
import { Ground } from "../../../conformance/ground";
import { World, type Wire } from "../../../conformance/world";
import { createLog } from "../../../log";
import { releaseForward } from "../../store/audit-forwards";
import { placeFor } from "../../../testing/database";
import { signaturesIn, verifyAgainst } from "../against";
import { startForwarder } from "./forwarder";
import { toStdout } from "./streams";
import { syslogMessage, toSyslog } from "./syslog";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function directory(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "audit-forward-"));
  ends.push(() => rm(made, { recursive: true }));
  return made;
}

const portOf = (server: Server | TcpServer): number => (server.address() as AddressInfo).port;

interface Sink {
  readonly port: number;
  /** Everything received, oldest first. */
  readonly got: { readonly body: string; readonly headers: Readonly<Record<string, unknown>> }[];
  /** Status of the next answers; 200 for all others. */
  readonly answers: number[];
}

async function httpSink(): Promise<Sink> {
  const got: Sink["got"] = [];
  const answers: number[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const status = answers.shift() ?? 200;
      if (status === 200) got.push({ body, headers: request.headers });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  ends.push(() => new Promise((closed) => server.close(closed)));
  return { port: portOf(server), got, answers };
}

/** Takes octet-counted messages (RFC 6587, section 3.4.1). */
async function syslogSink(port = 0) {
  const messages: string[] = [];
  /** While true, it loses what it receives. */
  const deaf = { on: false };
  const sockets = new Set<{ destroy(): void }>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    let rest = Buffer.alloc(0);
    socket.on("error", () => {});
    socket.on("data", (data) => {
      if (deaf.on) return;
      rest = Buffer.concat([rest, data]);
      for (;;) {
        const space = rest.indexOf(" ");
        const length = Number(rest.subarray(0, space));
        // A wrong length would otherwise be read for ever.
        if (space > 0 && !Number.isInteger(length)) return void socket.destroy();
        if (space < 0 || rest.length < space + 1 + length) return;
        messages.push(rest.subarray(space + 1, space + 1 + length).toString());
        rest = rest.subarray(space + 1 + length);
      }
    });
  });
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  const close = () =>
    new Promise<void>((closed) => {
      server.close(() => closed());
      for (const socket of sockets) socket.destroy();
    });
  return { port: portOf(server), messages, deaf, close };
}

/** Every entry in the database, as `platform-console audit export` writes it, by chain and number. */
async function stored(world: World): Promise<string[]> {
  const rows = await world.service.database.query<{ key: string }>(
    "select chain || ' ' || sequence || ' ' || hash as key from audit_entries order by chain, sequence",
  );
  return rows.map(({ key }) => key);
}

const keyOf = ({ uid, sequence, hash }: Wire): string =>
  `${uid.includes("/") ? uid.slice(0, 40) : ""} ${sequence} ${hash}`;
const keysIn = (lines: readonly string[]): string[] => lines.map((line) => keyOf(JSON.parse(line)));

/** The keys of each chain must come in the order of their numbers. */
function expectOrdered(keys: readonly string[]): void {
  const last = new Map<string, number>();
  for (const key of keys) {
    const [chain = "", sequence] = key.split(" ");
    expect(Number(sequence)).toBeGreaterThan(last.get(chain) ?? 0);
    last.set(chain, Number(sequence));
  }
}

const byText = (keys: readonly string[]): string[] => keys.toSorted();

/** Writes something and waits until a target has all entries. */
async function expectArrived(world: World, lines: () => readonly string[] | Promise<readonly string[]>) {
  await vi.waitFor(async () => expect(byText(keysIn(await lines()))).toEqual(byText(await stored(world))), {
    timeout: 20_000,
    interval: 200,
  });
  expectOrdered(keysIn(await lines()));
}

const linesOf = (content: string): string[] => content.split("\n").filter(Boolean);

test(
  "a file gets every entry once and in order, also across restarts, beside half a line of a killed process",
  {
    // Three starts.
    timeout: 90_000,
  },
  async () => {
    const data = await directory();
    const path = join(data, "audit.ndjson");
    await writeFile(path, '{"half');
    const place = await placeFor(data);
    ends.push(place.stop);
    const variables = { DATA_DIR: data, ...place.variables, AUDIT_FORWARD: `file://${path}` };
    const lines = async () => linesOf(await readFile(path, "utf8")).filter((line) => line !== '{"half');
    for (const name of ["first", "second"]) {
      const world = await World.open(variables);
      const owner = await world.person("owner");
      const organization = await world.create(owner, "groups", "", { name });
      await world.create(owner, "repos", organization, { name: "python" });
      await expectArrived(world, lines);
      // What is written now may be forwarded by the next process only.
      await world.create(owner, "repos", organization, { name: "late" });
      await world.service.stop();
    }
    const last = await World.open(variables);
    ends.push(() => last.service.stop());
    await expectArrived(last, lines);
  },
);

test("an https sink that fails gets every entry, in order, with the token", async () => {
  const sink = await httpSink();
  sink.answers.push(503, 500);
  const { world, ...ground } = await Ground.open({
    AUDIT_FORWARD: `http://127.0.0.1:${sink.port}/in,otlp+http://127.0.0.1:${sink.port}/v1/logs`,
    AUDIT_FORWARD_TOKEN: "a token of the sink",
  });
  ends.push(() => world.service.stop());
  const [ndjson, json] = ["application/x-ndjson", "application/json"].map(
    (type) => () => sink.got.filter(({ headers }) => headers["content-type"] === type),
  );
  await world.create(ground.owner, "repos", ground.folder, { name: "forwarded" });
  await expectArrived(world, () => ndjson!().flatMap(({ body }) => linesOf(body)));
  const records = () =>
    json!().flatMap(({ body }) =>
      (JSON.parse(body) as Wire)["resourceLogs"][0].scopeLogs[0].logRecords.map(
        (record: Wire) => record["body"].stringValue as string,
      ),
    ) as string[];
  await expectArrived(world, records);
  expect(sink.got.every(({ headers }) => headers["authorization"] === "Bearer a token of the sink")).toBe(
    true,
  );
});

test("syslog messages are those of RFC 5424, and none is missing after the receiver was away", async () => {
  const sink = await syslogSink();
  const { world, ...ground } = await Ground.open({ AUDIT_FORWARD: `syslog+tcp://127.0.0.1:${sink.port}` });
  ends.push(() => world.service.stop());
  const lines = () => sink.messages.map((message) => message.slice(message.indexOf("{")));
  await expectArrived(world, lines);
  expect(sink.messages[0]).toMatch(
    /^<110>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ platform-service \d+ groups\.create - \{.*\}$/,
  );
  // Syslog has no acknowledgement: this one is lost with its connection.
  sink.deaf.on = true;
  await world.create(ground.owner, "repos", ground.folder, { name: "lost" });
  await vi.waitFor(
    async () =>
      expect(
        await world.service.database.query(
          "select 1 from audit_heads h join audit_forwards f using (chain) where h.sequence > f.sequence",
        ),
      ).toEqual([]),
    { timeout: 10_000, interval: 100 },
  );
  await sink.close();
  const again = await syslogSink(sink.port);
  ends.push(again.close);
  await world.create(ground.owner, "repos", ground.folder, { name: "meanwhile" });
  const stranger = await world.person("stranger");
  await world.send(stranger.token, "groups.delete", { uid: ground.folder });
  const all = () => [...lines(), ...again.messages.map((message) => message.slice(message.indexOf("{")))];
  // The batch before the connection broke comes again.
  await vi.waitFor(
    async () => expect(byText([...new Set(keysIn(all()))])).toEqual(byText(await stored(world))),
    { timeout: 20_000, interval: 200 },
  );
  expectOrdered(keysIn(again.messages.map((message) => message.slice(message.indexOf("{")))));
  expect(again.messages.find((message) => message.includes('"OUTCOME_DENIED"'))).toMatch(/^<109>1 /);
});

test("no text makes a second line, nor speaks to a terminal", async () => {
  const sink = await syslogSink();
  const path = join(await directory(), "audit.ndjson");
  const { world, ...ground } = await Ground.open({
    AUDIT_FORWARD: `file://${path},syslog+tcp://127.0.0.1:${sink.port}`,
  });
  ends.push(() => world.service.stop());
  const forged = '{"uid":"forged"}';
  const breaks = ["\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029", "\u001B[2J", "\u009B2J", "\u007F"];
  const description = breaks.map((one) => `a${one}${forged}`).join("");
  await world.create(ground.owner, "repos", ground.folder, { name: "hostile", description });
  const why = `Zoë 🚀 "\\ ${forged}`;
  const explained = await world.service.call("POST", `/iam/v2/groups/${ground.folder}`, {
    token: ground.owner.token,
    headers: { "change-justification": encodeURIComponent(why) },
    body: { name: "explained" },
  });
  expect(explained.status).toBe(200);
  const file = () => readFile(path, "utf8");
  await expectArrived(world, async () => linesOf(await file()));
  await expectArrived(world, () => sink.messages.map((message) => message.slice(message.indexOf("{"))));
  for (const text of [await file(), sink.messages.join("\n")]) {
    expect(text).not.toMatch(/[^\P{C}\n]|\u2028|\u2029/u);
    expect(text).toContain("\\u2028{");
    // The reason of a change goes along.
    expect(
      text.split("\n").filter((line) => line.includes(`"justification":${JSON.stringify(why)}`)),
    ).toHaveLength(1);
  }
  const texts = linesOf(await file()).map((line) => JSON.stringify(JSON.parse(line)));
  expect(texts.some((text) => text.includes(JSON.stringify(JSON.stringify(description)).slice(1, -1)))).toBe(
    true,
  );
  await sink.close();
});

test("standard output gets lines; one process at a time forwards, and another takes over", async () => {
  const ground = await Ground.open();
  const { world } = ground;
  ends.push(() => world.service.stop());
  const { database } = world.service;
  const streams = [new PassThrough(), new PassThrough()];
  const got = streams.map((stream) => {
    const kept: string[] = [];
    stream.on("data", (data: Buffer) => kept.push(data.toString()));
    return () => linesOf(kept.join(""));
  });
  const target = readAuditTarget("stdout")!;
  const begin = (index: number) =>
    startForwarder({
      database,
      log: createLog("silent"),
      targets: [target],
      token: undefined,
      publicUrl: world.service.url,
      writer: () => toStdout(streams[index]!),
    });
  const first = begin(0);
  await expectArrived(world, got[0]!);
  const second = begin(1);
  await ground.create("repos", ground.folder, { name: "one" });
  await expectArrived(world, got[0]!);
  expect(got[1]!()).toEqual([]);
  await first.stop();
  await ground.create("repos", ground.folder, { name: "two" });
  await expectArrived(world, () => [...got[0]!(), ...got[1]!()]);
  expect(got[1]!().length).toBeGreaterThan(0);
  await second.stop();
  await releaseForward(database, target.name, "nobody");
});

test("a syslog message comes with its length in bytes, also if it is not all ASCII", async () => {
  const server = createTcpServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  ends.push(() => new Promise((closed) => server.close(closed)));
  const received = new Promise<Buffer>((resolve) => {
    server.on("connection", (socket) => {
      const parts: Buffer[] = [];
      socket.on("data", (part) => parts.push(part));
      socket.on("end", () => resolve(Buffer.concat(parts)));
    });
  });
  const lines = ['{"name":"größer ✓"}', '{"name":"plain"}'];
  const writer = toSyslog({ host: "127.0.0.1", port: portOf(server), tls: false });
  await writer.write(lines.map((line) => ({ line, time: new Date(), action: "groups.create", done: true })));
  await writer.close();
  let rest = await received;
  for (const line of lines) {
    const [length = ""] = rest.toString().split(" ", 1);
    const end = length.length + 1 + Number(length);
    const message = rest.subarray(0, end).toString();
    expect([message.startsWith(`${length} <110>1 `), message.endsWith(` - ${line}`)]).toEqual([true, true]);
    rest = rest.subarray(end);
  }
  expect(rest).toHaveLength(0);
});

test("a syslog header has only what RFC 5424 allows", () => {
  const time = new Date("2026-11-25T15:49:11.747Z");
  const message = syslogMessage({ line: '{"a":"é"}', time, action: "sign in é".repeat(20), done: false });
  const [priority, at, , app, , id, data, ...rest] = message.split(" ");
  expect([priority, at, app, data]).toEqual(["<109>1", time.toISOString(), "platform-service", "-"]);
  expect(id).toMatch(/^[!-~]{32}$/);
  expect(rest.join(" ")).toBe('{"a":"é"}');
});

test("once an hour a target gets the signed heads of the logs that grew, after their entries", async () => {
  const data = await directory();
  const file = join(data, "audit.ndjson");
  const { world, ...ground } = await Ground.open({ AUDIT_FORWARD: `file://${file}` });
  ends.push(() => world.service.stop());
  const { database } = world.service;
  const lines = async (): Promise<Wire[]> =>
    linesOf(await readFile(file, "utf8")).map((line) => JSON.parse(line) as Wire);
  const heads = async () =>
    (await lines()).flatMap(({ auditHead }) => (auditHead ? [auditHead as Wire] : []));
  await vi.waitFor(
    async () => expect(await database.query("select 1 from audit_heads_sent")).toHaveLength(1),
    {
      timeout: 10_000,
    },
  );
  // An hour later.
  await database.query("update audit_heads_sent set sent_at = sent_at - interval '1 hour'");
  await vi.waitFor(async () => expect(await heads()).not.toEqual([]), { timeout: 20_000, interval: 200 });
  const ours = (await heads()).filter(({ organization }) => organization === ground.organization);
  expect(ours).toHaveLength(1);
  const signatures = signaturesIn(await readFile(file, "utf8"));
  expect(await verifyAgainst(database, signatures)).toEqual([]);
  // No names.
  expect(Object.keys(ours[0] ?? {}).toSorted()).toEqual([
    "hash",
    "organization",
    "sequence",
    "signature",
    "time",
  ]);
});
