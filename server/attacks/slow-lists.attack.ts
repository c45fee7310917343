import type { Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";

import { recountTags } from "../domains/registry/tags.table";
import { startService, type TestService } from "../testing/service";
import { megabytes, MOST_GROWTH_MB, MOST_TIMES, neighbourIn, open, requestText, say } from "./neighbour";
import type { Neighbour } from "./neighbour";

const REPOS = 500;
const TAGS_EACH = 200;
/** Divides TAGS_EACH. */
const PARTS = 4;

let service: TestService;
let neighbour: Neighbour;
let token: string;
const attackers: Socket[] = [];

beforeAll(async () => {
  service = await startService();
  neighbour = await neighbourIn(service);
  token = await service.token("attacker");
  const made = await service.call("POST", "/iam/v2/groups", { token, body: { name: "large" } });
  const { uid } = made.json as { uid?: string };
  const { database } = service;
  await database.query(
    `insert into repos (uid, parent, name, created_at, updated_at)
     select $1 || '/' || lpad(to_hex(n), 16, '0'), $1, 'repo ' || n, now(), now() from generate_series(1, $2::int) n`,
    [uid, REPOS],
  );
  // In parts: the embedded database has a time limit for each statement.
  for (let part = 0; part < PARTS; part += 1)
    // oxlint-disable-next-line no-await-in-loop
    await database.query(
      `insert into tags (uid, parent, name, digest, created_at, updated_at)
       select r.uid || '/' || lpad(to_hex(n), 16, '0'), r.uid, md5(r.uid || n), 'sha256:0',
         now() - n * interval '1 minute', now() - n * interval '1 minute'
       from repos r cross join generate_series($1::int + 1, $2::int) n`,
      [(part * TAGS_EACH) / PARTS, ((part + 1) * TAGS_EACH) / PARTS],
    );
  await recountTags(database);
  await database.query("analyze");
}, 300_000);
afterAll(() => service.stop());

/** Sends the next request as soon as a response ends, until the socket closes; ignores the responses. */
function ask(path: string): void {
  const text = requestText(service.url, path, token);
  const socket = open(service.url);
  attackers.push(socket);
  let tail = "";
  socket.on("data", (chunk) => {
    tail = (tail + chunk.toString("latin1")).slice(-200_000);
    const [, head = "", length = "0"] =
      /(HTTP\/1\.1 [^]*?content-length: (\d+)[^]*?\r\n\r\n)/.exec(tail) ?? [];
    if (head === "" || tail.length < tail.indexOf(head) + head.length + Number(length)) return;
    tail = "";
    socket.write(text);
  });
  socket.write(text);
}

const stop = (): void => {
  for (const socket of attackers.splice(0)) socket.destroy();
};

test("six slow lists of one caller, over and over", async () => {
  const peace = await neighbour.wait();
  const before = megabytes();
  for (let index = 0; index < 6; index += 1) ask("/registry/v2/tags?order_by=name&page_size=200");
  const attack = await neighbour.wait();
  stop();
  const growth = megabytes() - before;
  say(
    `slow lists: ${peace.toFixed(1)} ms in peace, ${attack.toFixed(1)} ms under attack, +${growth.toFixed(0)} MB`,
  );
  expect(attack / peace).toBeLessThan(MOST_TIMES);
  expect(growth).toBeLessThan(MOST_GROWTH_MB);
}, 300_000);

test("three thousand requests on one connection", async () => {
  const peace = await neighbour.wait();
  const before = megabytes();
  const socket = open(service.url).resume();
  attackers.push(socket);
  socket.write(requestText(service.url, "/registry/v2/tags?page_size=200", token).repeat(3_000));
  const attack = await neighbour.wait();
  stop();
  const growth = megabytes() - before;
  say(
    `pipelined: ${peace.toFixed(1)} ms in peace, ${attack.toFixed(1)} ms under attack, +${growth.toFixed(0)} MB`,
  );
  expect(attack / peace).toBeLessThan(MOST_TIMES);
  expect(growth).toBeLessThan(MOST_GROWTH_MB);
}, 300_000);
