import { createServer, request } from "node:http";
import { once } from "node:events";

export interface Relay {
  /** Of the writes from now on, the answer of this one (1 is the next) is lost: `then` is called in its place. */
  lose(which: number, then: () => void): void;
  stop(): Promise<void>;
}

/** Passes requests to one port on to a service at another port of this machine. */
export async function startRelay(port: number, to: number): Promise<Relay> {
  let left = 0;
  let lost: () => void = () => undefined;
  const server = createServer((asked, answer) => {
    const { method, url, headers } = asked;
    const isLost = method !== "GET" && (left -= 1) === 0;
    const passed = request({ host: "127.0.0.1", port: to, method, path: url, headers }, (found) => {
      // It is there as a whole before it is lost.
      if (isLost) found.resume().once("end", lost);
      else found.pipe(answer.writeHead(found.statusCode ?? 502, found.headers));
    });
    passed.on("error", () => answer.destroy());
    asked.pipe(passed);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    lose(which, then) {
      left = which;
      lost = then;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
