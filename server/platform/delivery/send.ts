import { CloudEvent, HTTP } from "cloudevents";

import type { Outbound } from "../../outbound";
import { NoSuccess } from "./outcome";
import type { Sign } from "./signature";

/** One event on its way to one sink. */
export interface Delivery {
  readonly event: string;
  readonly sink: string;
  /** The subscribing group. */
  readonly group: string;
}

/** Sends an event once; throws unless the sink responds with success, and returns the status if it is known. */
export type Send = (delivery: Delivery) => Promise<number | void>;

/** CloudEvents 1.0 over HTTP, in its binary mode. */
export const createSend =
  (outbound: Outbound, sign: Sign): Send =>
  async ({ event, sink, group }) => {
    const { headers, body } = HTTP.binary(new CloudEvent(JSON.parse(event)));
    const text = String(body);
    const { status } = await outbound(sink, {
      method: "POST",
      headers: {
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        authorization: `Bearer ${await sign(group, text)}`,
        "user-agent": "platform-events",
        "accept-encoding": "gzip",
      },
      body: text,
    });
    if (status < 200 || status > 299) throw new NoSuccess(status);
    return status;
  };
