import { once } from "node:events";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { portOf } from "../port";

export interface Received {
  readonly from: string;
  readonly to: string;
  /** By name in lower case; folded lines are joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The first link below the service. */
  readonly link: string;
  /** As it came over the wire. */
  readonly raw: string;
}

/** What the server does with a mail: takes it, or answers with a code, or waits for a promise before. */
export type Behavior = (mail: { readonly to: string }) => number | void | Promise<number | void>;

export interface MailServer {
  readonly port: number;
  /** For SMTP_URL. */
  readonly url: string;
  readonly received: readonly Received[];
  /** Connections so far. */
  readonly connections: number;
  /** Resolves with the mails once there are this many; fails after `seconds`, at first 20. */
  until(count: number, seconds?: number): Promise<readonly Received[]>;
  /** From now on. */
  behave(at: "RCPT" | "DATA", behavior: Behavior): void;
  stop(): Promise<void>;
}

function decoded(part: string): string {
  const [head = "", ...rest] = part.split("\r\n\r\n");
  const body = rest.join("\r\n\r\n");
  if (/transfer-encoding: base64/i.test(head)) return Buffer.from(body, "base64").toString("utf8");
  if (!/transfer-encoding: quoted-printable/i.test(head)) return body;
  const bytes = body
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** Encoded words (RFC 2047). */
const words = (text: string): string =>
  text
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, how: string, inside: string) =>
      how.toLowerCase() === "b"
        ? Buffer.from(inside, "base64").toString("utf8")
        : decoded(`transfer-encoding: quoted-printable\r\n\r\n${inside.replaceAll("_", " ")}`),
    );

function read(raw: string, from: string, to: string): Received {
  const [head = ""] = raw.split("\r\n\r\n");
  const headers = Object.fromEntries(
    head
      .replaceAll(/\r\n[ \t]+/g, " ")
      .split("\r\n")
      .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
  );
  const [, boundary = "none"] = /boundary="([^"]+)"/.exec(head) ?? [];
  const parts = raw.split(`--${boundary}`).slice(1, -1);
  const of = (type: string) => {
    const part = parts.find((one) => one.toLowerCase().includes(`content-type: ${type}`));
    return decoded(part?.trimStart() ?? "")
      .replaceAll("\r\n", "\n")
      .trim();
  };
  const [text, html] = [of("text/plain"), of("text/html")];
  const [link = ""] = /https?:\/\/\S+(?:token=|invite#|provider=)\S+/.exec(text) ?? [];
  return { from, to, headers, subject: words(headers["subject"] ?? ""), text, html, link, raw };
}

/** A mail server over real sockets, at first on loopback; `options` are those of smtp-server. */
export async function startMailServer({
  port = 0,
  host = "127.0.0.1",
  ...options
}: SMTPServerOptions & { readonly port?: number; readonly host?: string } = {}): Promise<MailServer> {
  const received: Received[] = [];
  const behaviors: Record<"RCPT" | "DATA", Behavior> = { RCPT: () => {}, DATA: () => {} };
  let connections = 0;
  async function act(at: "RCPT" | "DATA", to: string): Promise<Error | undefined> {
    const code = await behaviors[at]({ to });
    if (typeof code !== "number") return undefined;
    return Object.assign(new Error(`no mail for ${to}`), { responseCode: code });
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 50,
    logger: false,
    onConnect(_session, done) {
      connections += 1;
      done();
    },
    onRcptTo: async ({ address }, _session, done) => done(await act("RCPT", address)),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const to = envelope.rcptTo.map(({ address }) => address).join(",");
        const error = await act("DATA", to);
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        if (!error) received.push(read(Buffer.concat(chunks).toString("utf8"), from, to));
        done(error);
      });
    },
    ...options,
  });
  server.on("error", () => {});
  server.listen(port, host);
  await once(server.server, "listening");
  const at = portOf(server.server);
  return {
    port: at,
    url: `smtp://127.0.0.1:${at}`,
    received,
    get connections() {
      return connections;
    },
    async until(count, seconds = 20) {
      const end = Date.now() + seconds * 1000;
      while (received.length < count) {
        if (Date.now() > end) throw new Error(`${received.length} of ${count} mails came`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return received;
    },
    behave: (place, behavior) => void (behaviors[place] = behavior),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
