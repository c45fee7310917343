import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { createLog } from "../../log";
import { MAILS, type MailTold } from "../../mails";
import type { Database } from "../store/database";
import { storeMail, type NewMail } from "../store/mail/outbox";
import { openMigrated } from "../../testing/database";
import { startMailServer, type MailServer } from "../../testing/mail-server";
import { startSender, TIMES, type Sender } from "./sender";
import { createTransport } from "./transport";

const FAST: typeof TIMES = {
  ...TIMES,
  look: { postgres: 50, embedded: 50 },
  first: 40,
  longest: 200,
  rest: { first: 20, longest: 100 },
  stop: 200,
};

let database: Database;
let server: MailServer;
const running: Sender[] = [];
const lines: { msg: string }[] = [];
const told: MailTold[] = [];
const hear = (message: unknown) => void told.push(message as MailTold);

beforeAll(async () => void (database = await openMigrated()));
afterAll(() => database.close());
beforeEach(async () => {
  server = await startMailServer();
  subscribe(MAILS, hear);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
  await server.stop();
  await database.query("delete from mail_outbox");
  unsubscribe(MAILS, hear);
  lines.length = 0;
  told.length = 0;
});

const settingsAt = (port: number, more: object = {}) => ({
  server: { host: "127.0.0.1", port, tls: "never", user: undefined, password: undefined, ...more } as const,
  from: { name: "", address: "console@platform.example" },
});

async function startOne({
  port = server.port,
  times = FAST,
  whole,
  settings,
}: { port?: number; times?: typeof TIMES; whole?: number; settings?: object } = {}): Promise<Sender> {
  const log = createLog("info", { write: (line: string) => void lines.push(JSON.parse(line)) });
  const transport = await createTransport(settingsAt(port, settings), "platform.example", whole);
  const compose = async ({ address }: { address: string }) =>
    address.startsWith("nothing") ? undefined : { subject: "Hello", body: [`To ${address}`] };
  const sender = startSender({ database, transport, compose, log, times });
  running.push(sender);
  return sender;
}

const mailTo = (address: string, more: Partial<NewMail> = {}) =>
  storeMail(database, { kind: "passwordChanged", address, usefulS: 3600, ...more });
const waiting = () => database.query("select address, attempts from mail_outbox order by address");
async function emptied(): Promise<void> {
  await expect.poll(waiting, { timeout: 15_000 }).toEqual([]);
}

test("each mail is sent once, and then it is gone; one without a text is only gone", async () => {
  for (let count = 0; count < 10; count += 1) await mailTo(`person-${count}@example.com`);
  await mailTo("nothing@example.com");
  await startOne();
  await emptied();
  expect(server.received.map(({ to }) => to).toSorted()).toEqual(
    Array.from({ length: 10 }, (_, count) => `person-${count}@example.com`),
  );
  expect(told.filter(({ result }) => result === "sent")).toHaveLength(10);
});

test("while the server is away mails wait, and are all sent when it is back", async () => {
  const { port } = server;
  await server.stop();
  const sender = await startOne({ port });
  for (let count = 0; count < 20; count += 1) await mailTo(`person-${count}@example.com`);
  sender.wake();
  await expect.poll(() => told.filter(({ result }) => result === "delayed").length).toBeGreaterThan(3);
  expect(await waiting()).toHaveLength(20);
  server = await startMailServer({ port });
  await emptied();
  expect(new Set(server.received.map(({ to }) => to)).size).toBe(20);
  // One line when it begins and one when it ends, not one for each attempt.
  expect(lines.filter(({ msg }) => msg.includes("the mail server"))).toHaveLength(2);
});

test("one recipient for whom the server has no room now is tried again; others do not wait for them", async () => {
  let full = true;
  server.behave("RCPT", ({ to }) => (full && to.startsWith("full") ? 452 : undefined));
  await mailTo("full@example.com");
  await mailTo("other@example.com");
  await startOne();
  await server.until(1);
  expect(server.received[0]?.to).toBe("other@example.com");
  full = false;
  await emptied();
  expect(server.received.map(({ to }) => to)).toEqual(["other@example.com", "full@example.com"]);
});

test.each(["RCPT", "DATA"] as const)("a mail refused for good at %s is given up at once", async (at) => {
  server.behave(at, ({ to }) => (to.startsWith("gone") ? 550 : undefined));
  await mailTo("gone@example.com");
  await mailTo("other@example.com");
  await startOne();
  await emptied();
  expect(server.received.map(({ to }) => to)).toEqual(["other@example.com"]);
  expect(told.map(({ result }) => result).toSorted()).toEqual(["failed", "sent"]);
  const [line] = lines.filter(({ msg }) => msg === "the mail server refused a mail");
  expect(line).toMatchObject({ kind: "passwordChanged", attempts: 1, status: 550 });
  expect(JSON.stringify(lines)).not.toContain("gone@example.com");
});

test("a mail that is of no use any more is given up, with a line in the log", async () => {
  server.behave("DATA", () => 451);
  await mailTo("late@example.com", { usefulS: 1 });
  await startOne();
  await emptied();
  expect(server.received).toEqual([]);
  expect(lines.filter(({ msg }) => msg.startsWith("a mail was given up"))).toHaveLength(1);
});

test("a server that does not answer does not hold a mail forever", async () => {
  let slow = true;
  server.behave("DATA", () => (slow ? new Promise(() => {}) : undefined));
  await mailTo("ada@example.com");
  await startOne({ whole: 1_000 });
  await expect.poll(() => told.map(({ result }) => result), { timeout: 15_000 }).toContain("delayed");
  slow = false;
  await emptied();
  // At least once: on a busy machine a good answer can come too late as well.
  expect(new Set(server.received.map(({ to }) => to))).toEqual(new Set(["ada@example.com"]));
});

test("two processes share the work: nothing is sent twice", async () => {
  for (let count = 0; count < 40; count += 1) await mailTo(`person-${count}@example.com`);
  server.behave("DATA", async () => new Promise((resolve) => setTimeout(resolve, 10)));
  await Promise.all([startOne(), startOne()]);
  await emptied();
  expect(server.received).toHaveLength(40);
  expect(new Set(server.received.map(({ to }) => to)).size).toBe(40);
});

test("what a process was sending when it was killed is sent by another, as the same message", async () => {
  let hung = true;
  // The server has the mail, but the process never learns of it.
  server.behave("DATA", () => {
    if (!hung) return undefined;
    hung = false;
    return new Promise(() => {});
  });
  await mailTo("ada@example.com");
  const times = { ...FAST, lease: 500 };
  await (await startOne({ times })).stop();
  running.length = 0;
  expect(await waiting()).toHaveLength(1);
  await startOne({ times });
  await emptied();
  const [uid] = server.received.map(({ headers }) => headers["message-id"]);
  expect(server.received).toHaveLength(1);
  expect(uid).toMatch(/^<[\w-]{36}@platform\.example>$/);
});

test("too many do not wait: the next is refused", async () => {
  const mail = { kind: "passwordChanged", address: "ada@example.com", usefulS: 60 } as const;
  expect(await storeMail(database, mail, 2)).toBe(true);
  expect(await storeMail(database, mail, 2)).toBe(true);
  expect(await storeMail(database, mail, 2)).toBe(false);
  expect(await waiting()).toHaveLength(2);
});

test("mails of accounts come before invites, however many those are", async () => {
  for (let count = 0; count < 12; count += 1)
    await mailTo(`guest-${count}@example.com`, { kind: "invite", invite: "none" });
  await mailTo("owner@example.com");
  await startOne();
  await emptied();
  expect(server.received.slice(0, 4).map(({ to }) => to)).toContain("owner@example.com");
});

test("a server without STARTTLS gets neither a password nor a mail, unless it is said otherwise", async () => {
  await mailTo("ada@example.com");
  await startOne({ settings: { tls: "starttls", user: "console", password: "secret" } });
  await expect.poll(() => told.map(({ result }) => result)).toContain("delayed");
  expect(server.received).toEqual([]);
  expect(lines[0]).toMatchObject({ code: "ETLS" });
});

test("it signs in with what SMTP_URL has, over TLS", async () => {
  const seen: string[] = [];
  const secured = await startMailServer({
    disabledCommands: [],
    authOptional: false,
    onAuth({ username, password }, { secure }, done) {
      seen.push(`${username} ${password} ${secure}`);
      done(null, { user: username });
    },
  });
  const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
  // The server's certificate is for a test.
  process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
  try {
    await mailTo("ada@example.com");
    await startOne({
      port: secured.port,
      settings: { tls: "starttls", user: "console", password: "p@ss/word" },
    });
    await secured.until(1);
    expect(seen).toEqual(["console p@ss/word true"]);
  } finally {
    if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
    await secured.stop();
  }
});
