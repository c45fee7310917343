import { connect, type Socket } from "node:net";

import type { TestService } from "../testing/service";

/** How long a neighbour waits under attack, in times of what they wait in peace; and megabytes that memory may grow by. */
export const MOST_TIMES = 5;
export const MOST_GROWTH_MB = 200;

/** Requests of the neighbour before and during an attack. */
const REQUESTS = 25;

export interface Neighbour {
  /** Milliseconds that each of their small lists takes on average, asked for one after another. */
  wait(): Promise<number>;
}

/** Somebody with an organization of their own and three folders, who lists them. */
export async function neighbourIn(service: TestService): Promise<Neighbour> {
  const token = await service.token("neighbour");
  const { uid } = (await service.call("POST", "/iam/v2/groups", { token, body: { name: "next door" } }))
    .json as { uid?: string };
  for (const name of ["one", "two", "three"])
    await service.call("POST", `/iam/v2/groups/${uid}`, { token, body: { name } });
  const list = async () => {
    const { status } = await service.call("GET", "/iam/v2/groups?order_by=name", { token });
    if (status !== 200) throw new Error(`the neighbour is refused with ${status}`);
  };
  return {
    async wait() {
      const begin = performance.now();
      for (let index = 0; index < REQUESTS; index += 1) await list();
      return (performance.now() - begin) / REQUESTS;
    },
  };
}

/** A request as it goes over the wire. */
export const requestText = (url: string, path: string, token: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${token}\r\n\r\n`;

export function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  // The other side may cut what is an attack.
  return connect(Number(port), hostname).on("error", () => {});
}

export const megabytes = (): number => process.memoryUsage().rss / 1e6;

/** For the report, on standard error. */
export const say = (text: string): void => void process.stderr.write(`${text}\n`);
