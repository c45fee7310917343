import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Requests that a connection may send ahead of their answers. No browser does, and proxies do not either. */
const MOST_AHEAD = 20;

/**
 * Answers the requests of a connection one after another: Node parses whatever was pipelined at once, and would begin
 * all of it before anybody else has a turn. A connection with more ahead than any client has is cut.
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
        // In a turn of the event loop of its own, so that other connections are read in between.
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
 * Ends the connection of an answer of which nobody has read anything for the server's `timeout`. An answer that is not
 * begun yet waits for us, not for its client.
 */
export function endWhenIdle(listener: Listener): Listener {
  return (request, response) => {
    response.on("timeout", (socket: Socket) => {
      if (response.headersSent) socket.destroy();
    });
    listener(request, response);
  };
}
