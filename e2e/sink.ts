import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import type { Api } from "./api";

export interface Sink {
  readonly url: string;
  /** The status of its answers. */
  status: number;
  /** What it got, oldest first. */
  readonly requests: { readonly headers: IncomingHttpHeaders; readonly body: string }[];
  close(): void;
}

/** Starts a receiver of events, which at first accepts none. */
export async function startSink(): Promise<Sink> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      sink.requests.push({ headers: request.headers, body });
      response.writeHead(sink.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const sink: Sink = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    status: 503,
    requests: [],
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return sink;
}

export interface Delivered {
  readonly uid: string;
  readonly type: string;
  readonly state: string;
  readonly attemptCount?: number;
  readonly attempts: readonly { readonly status?: number }[];
}

/** The deliveries of a subscription, newest first, from the API. */
export const deliveriesOf = async (api: Api, { uid }: { readonly uid: string }): Promise<Delivered[]> =>
  (await api.get<{ deliveries: Delivered[] }>(`/events-log/v1/subscriptions/${uid}/deliveries`)).deliveries;

export const subscribe = (api: Api, group: { readonly uid: string }, { url }: Sink) =>
  api.post<{ uid: string }>(`/events/v2/subscriptions/${group.uid}`, { sink: url });
