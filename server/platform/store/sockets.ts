import { Socket } from "node:net";

/** The sockets of connections. What ends a connection waits for the other side; this does not. */
export class Sockets {
  readonly #open = new Set<Socket>();

  /** A new one, for a connection that opens it. */
  readonly create = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
    return socket;
  };

  /** Ends all of them at once, and with them what waits for an answer. */
  cut(why: string): void {
    for (const socket of this.#open) socket.destroy(new Error(why));
  }
}
