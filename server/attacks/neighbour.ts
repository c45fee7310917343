import { connect, type Socket } from "node:net";

import type { TestService } from "../testing/service";

/** Maximum wait of a neighbor under attack, as a multiple of the normal one; and maximum memory growth in megabytes. */
export const MOST_TIMES = 5;
export const MOST_GROWTH_MB = 200;

/** The neighbor's requests before and during an attack. */
const REQUESTS = 25;

export interface Neighbour {
  /** Average milliseconds of the neighbor's small lists, requested one after another. */
  wait(requests?: number): Promise<number>;
}

/** A person who lists their own organization and its three folders. */
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
    async wait(requests = REQUESTS) {
      const begin = performance.now();
      for (let index = 0; index < requests; index += 1) await list();
      return (performance.now() - begin) / requests;
    },
  };
}

/** A request as sent over the wire. */
export const requestText = (url: string, path: string, token: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${token}\r\n\r\n`;

export function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  // The server may close an attacking connection.
  return connect(Number(port), hostname).on("error", () => {});
}

export const megabytes = (): number => process.memoryUsage().rss / 1e6;

/** Prints to the report, on standard error. */
export const say = (text: string): void => void process.stderr.write(`${text}\n`);
