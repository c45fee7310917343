import { expect, test } from "vitest";

import {
  HeldService,
  POLL,
  PROTOCOLS,
  STATES,
  openSockets,
  waysOf,
  type Protocol,
  type State,
} from "../../testing/departures";
import { LONG } from "../../testing/long";

type Row = [protocol: Protocol, state: State, way: string];

/** The client is gone for good, or at least says so. */
const GONE = new Set(["FIN", "RST", "half-close", "GOAWAY with an error", "a destroyed session"]);

/** What an HTTP/1.1 client gets of an answer that has begun when it closes its side: it can still read. */
const readsOn = ([protocol, state, way]: Row): boolean =>
  protocol === "HTTP/1.1" &&
  way === "half-close" &&
  (state === "answering" || state === "waiting to be read");

const isGone = (row: Row): boolean => GONE.has(row[2]) && !readsOn(row);

/** `npm run test:long` tests every row; otherwise HTTP/2 in full, and these states of the others. */
const isTested = ([protocol, state]: Row): boolean =>
  LONG || protocol === "HTTP/2" || state === "arriving" || state === "waiting to be read";

const table = PROTOCOLS.flatMap((protocol) =>
  STATES.flatMap((state) => waysOf(protocol).map((way): Row => [protocol, state, way])),
).filter(isTested);

/** Short, for clients that stay and do nothing; long enough for a request to arrive while the machine is busy. */
const SHORT = {
  headersTimeout: 1_000,
  requestTimeout: 1_000,
  connectionsCheckingInterval: 20,
  sendingIdle: 300,
  keepAlive: 300,
};

/** Reaches the state, leaves, and expects that nothing is left. */
async function leave([protocol, state, way]: Row, patience?: typeof SHORT): Promise<void> {
  const service = await HeldService.start(patience);
  const before = openSockets();
  const client = await service.reach(protocol, state);
  try {
    client.leave(way);
    // What runs is not interrupted; what waits is dropped, also while nothing ends.
    if (!patience)
      await expect.poll(() => service.places().callers, POLL).toMatchObject({ waiting: 0, unsent: 0 });
    service.release();
    await service.expectNoPlaces();
    // An HTTP/2 connection on which something is said is in use.
    if (way !== "chatter") await expect.poll(service.connections, POLL).toBe(0);
    client.destroy();
    await service.expectNothingLeft(before);
  } finally {
    client.destroy();
    await service.stop();
  }
}

test.each(table.filter(isGone))("frees what a client held at once: %s, %s, %s", (...row) => leave(row));

test.each(table.filter((row) => !isGone(row)))("frees what a client holds in time: %s, %s, %s", (...row) =>
  leave(row, SHORT),
);
