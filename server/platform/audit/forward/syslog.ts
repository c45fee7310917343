import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { hostname } from "node:os";
import { connect as connectTls } from "node:tls";

import type { Outgoing, Writer } from "./writer";

/** Facility 13, "log audit", and severities (RFC 5424, section 6.2.1). */
const AUDIT = 13;
const NOTICE = 5;
const INFORMATIONAL = 6;

const APP = "platform-service";

/** Milliseconds for a connection, and for the network to take a batch. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Printable ASCII of a limited length, or the nil value (RFC 5424, section 6). */
const header = (text: string, length: number): string =>
  text.replaceAll(/[^\x21-\x7e]/g, "").slice(0, length) || "-";

const HOST = header(hostname(), 255);

/** A message (RFC 5424): its MSGID is the action, its MSG the entry as JSON. */
export function syslogMessage({ line, time, action, done }: Outgoing): string {
  const priority = AUDIT * 8 + (done ? INFORMATIONAL : NOTICE);
  return `<${priority}>1 ${time.toISOString()} ${HOST} ${APP} ${process.pid} ${header(action, 32)} - ${line}`;
}

/** With its length in bytes before it (RFC 6587, section 3.4.1; RFC 5425, section 4.3). */
const framed = (message: string): string => `${Buffer.byteLength(message)} ${message}`;

interface Options {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

async function open({ host, port, tls }: Options): Promise<Socket> {
  const socket = tls ? connectTls({ host, port, servername: host }) : connect({ host, port });
  socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy(new Error(`${host}:${port} took too long`)));
  await once(socket, tls ? "secureConnect" : "connect");
  // From now on an error ends the connection, which the next write sees.
  socket.on("error", () => {});
  socket.setTimeout(0);
  socket.resume();
  return socket;
}

const sent = (socket: Socket, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error("took too long")), CONNECT_TIMEOUT_MS);
    socket.write(text, (error) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve();
    });
  });

/**
 * Syslog over TCP or TLS, which acknowledges nothing. What was written to a connection that then broke may be lost, so
 * its last batch is written again to the next one.
 */
export function toSyslog(options: Options): Writer {
  let socket: Socket | undefined;
  let unsure: readonly Outgoing[] = [];
  return {
    async write(entries) {
      const usable = socket && !socket.destroyed && socket.writable ? socket : undefined;
      const fresh = usable === undefined;
      const current = usable ?? (socket = await open(options));
      const batch = fresh ? [...unsure, ...entries] : entries;
      try {
        await sent(current, batch.map((entry) => framed(syslogMessage(entry))).join(""));
      } catch (error) {
        socket?.destroy();
        throw error;
      }
      unsure = entries;
    },
    async close() {
      if (!socket || socket.destroyed) return;
      const closed = once(socket, "close");
      socket.end();
      const timer = setTimeout(() => socket?.destroy(), 1_000);
      await closed;
      clearTimeout(timer);
    },
  };
}
