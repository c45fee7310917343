import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Maximum pipelined requests per connection. Browsers and proxies do not pipeline. */
const MOST_AHEAD = 20;

/**
 * Handles the requests of a connection sequentially. Node parses all pipelined requests and would start them together,
 * ahead of other connections. Closes a connection that pipelines more than any real client.
 */
export function oneAtATime(listener: Listener): Listener {
  const ahead = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const begin = (): void => {
      response.once("close", () => {
        const next = ahead.get(socket)?.shift();
        if (!next || socket.destroyed) ahead.delete(socket);
        // In a separate event loop turn, so that other connections are read in between.
        else setImmediate(next);
      });
      listener(request, response);
    };
    const waiting = ahead.get(socket);
    if (!waiting) {
      ahead.set(socket, []);
      begin();
    } else if (waiting.length < MOST_AHEAD) waiting.push(begin);
    else socket.destroy();
  };
}

/**
 * Closes a connection if the client reads nothing of a response for the server's `timeout`. Before the headers are
 * sent, the delay is ours, not the client's.
 */
export function endWhenIdle(listener: Listener): Listener {
  return (request, response) => {
    response.on("timeout", (socket: Socket) => {
      if (response.headersSent) socket.destroy();
    });
    listener(request, response);
  };
}
