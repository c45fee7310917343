import type { Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startService, type TestService } from "../testing/service";
import { megabytes, MOST_GROWTH_MB, MOST_TIMES, neighbourIn, open, requestText, say } from "./neighbour";
import type { Neighbour } from "./neighbour";

const CONNECTIONS = 20;
/** Of the neighbor: the first thirty are beside the reading of pages, which is over in two seconds. */
const REQUESTS = 100;

let service: TestService;
let neighbour: Neighbour;
let token: string;

beforeAll(async () => {
  service = await startService();
  neighbour = await neighbourIn(service);
  token = await service.token("attacker");
  const made = await service.call("POST", "/iam/v2/groups", { token, body: { name: "large" } });
  const { uid } = made.json as { uid?: string };
  // One page of the largest possible records.
  await service.database.query(
    `insert into repos (uid, parent, name, bundles, created_at, updated_at)
     select $1 || '/' || lpad(to_hex(n), 16, '0'), $1, 'repo ' || n, array[repeat(md5(n::text), 7800)], now(), now()
     from generate_series(1, 200) n`,
    [uid],
  );
}, 300_000);
afterAll(() => service.stop());

test("twenty pages of the largest records that nobody reads", async () => {
  const peace = await neighbour.wait(REQUESTS);
  const before = megabytes();
  const sockets: Socket[] = [];
  for (let index = 0; index < CONNECTIONS; index += 1) {
    const socket = open(service.url).pause();
    socket.write(requestText(service.url, "/registry/v2/repos?page_size=200", token));
    sockets.push(socket);
  }
  const attack = await neighbour.wait(REQUESTS);
  const growth = megabytes() - before;
  for (const socket of sockets) socket.destroy();
  say(
    `unread pages: ${peace.toFixed(1)} ms in peace, ${attack.toFixed(1)} ms under attack, +${growth.toFixed(0)} MB`,
  );
  expect(attack / peace).toBeLessThan(MOST_TIMES);
  expect(growth).toBeLessThan(MOST_GROWTH_MB);
}, 300_000);
