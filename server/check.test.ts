import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { check, exitCodeOf, type Finding } from "./check";
import { SMTP_RULE } from "./smtp";
import { placeFor } from "./testing/database";
import { startIssuer, type TestIssuer } from "./testing/issuer";

let home: string;
let issuer: TestIssuer;
let place: Awaited<ReturnType<typeof placeFor>>;
/** Takes connections and never answers. */
let silent: Server;
let closedPort: number;
const at = (...parts: string[]) => path.join(home, ...parts);

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "check-"));
  issuer = await startIssuer();
  silent = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
  closedPort = (closed.address() as AddressInfo).port;
  await new Promise((resolve) => closed.close(resolve));
  await writeFile(at("file"), "");
  await writeFile(at("password"), "a-good-password\n");
  await writeFile(at("short"), "short\n");
  await symlink("/dev/null", at("null"));
  place = await placeFor(at("good"));
});
afterAll(async () => {
  await issuer.stop();
  silent.close();
  await place.stop();
  await rm(home, { recursive: true, force: true });
});

async function findings(variables: Readonly<Record<string, string>>): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const one of check({ SEED: "none", DATA_DIR: at("good"), ...place.variables, ...variables }))
    found.push(one);
  return found;
}

/** What stands in the environment, and the whole sentence about it; <home> is the directory of the test. */
const WRONG: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
  [{ PORT: "http" }, "PORT: must be a port number, 0 to 65535"],
  [{ PORT: "80800" }, "PORT: must be a port number, 0 to 65535"],
  [{ PORT: "8080.5" }, "PORT: must be a port number, 0 to 65535"],
  [{ HOST: "http://0.0.0.0" }, "HOST: must be an IP address or a host name, without scheme or port"],
  [
    { HOST: "0.0.0.0" },
    "HOST: other machines can reach 0.0.0.0; set PUBLIC_URL to the https address that they use (or set ALLOW_INSECURE=1 to start anyway)",
  ],
  [{ PUBLIC_URL: "platform.example" }, "PUBLIC_URL: must be an http or https address"],
  [
    { PUBLIC_URL: "http://platform.example" },
    "PUBLIC_URL: must be https unless it is a loopback address (set ALLOW_INSECURE=1 to start anyway)",
  ],
  [{ PUBLIC_URL: "https://platform.example," }, "PUBLIC_URL: must be one address; remove the comma"],
  [
    { PUBLIC_URL: "https://me:secret@platform.example/?x#y" },
    "PUBLIC_URL: must be an address without query, fragment or user",
  ],
  [
    { CONSOLE_URLS: "https://a.example,b.example" },
    "CONSOLE_URLS: b.example must be an http or https address",
  ],
  [{ CONSOLE_URLS: "," }, "CONSOLE_URLS: has only commas"],
  [
    { CONSOLE_URLS: "https://*.example" },
    "CONSOLE_URLS: https://*.example must be one host, without a wildcard",
  ],
  [
    { CONSOLE_URLS: "http://a.example" },
    "CONSOLE_URLS: http://a.example must be https: sign-ins are sent there",
  ],
  [
    { CONSOLE_URLS: "https://a.example,https://me:secret@b.example" },
    "CONSOLE_URLS: item 2 must be an address without query, fragment or user",
  ],
  [
    { FEDERATION_CALLBACKS: "http://a.example/cb" },
    "FEDERATION_CALLBACKS: http://a.example/cb must be https: sign-ins are sent there",
  ],
  [
    { DATABASE_URL: "mysql://127.0.0.1/platform" },
    "DATABASE_URL: must be a postgres:// address; percent-encode characters such as @ / : # in its user and password",
  ],
  [
    { DATABASE_URL: "postgres://127.0.0.1:<closed>/platform" },
    "DATABASE_URL: cannot connect to the database (connect ECONNREFUSED 127.0.0.1:<closed>)",
  ],
  [
    { DATABASE_URL: "postgres://127.0.0.1:<silent>/platform" },
    "DATABASE_URL: cannot connect to the database (Connection terminated unexpectedly)",
  ],
  [{ ADMIN_EMAIL: "owner" }, "ADMIN_EMAIL: must be an email address"],
  [{ ADMIN_PASSWORD: "short" }, "ADMIN_PASSWORD: must have at least 8 characters"],
  [
    { ADMIN_PASSWORD: "platform-demo", PUBLIC_URL: "https://platform.example" },
    "ADMIN_PASSWORD: this password is published in the README; choose another one",
  ],
  [
    { ADMIN_PASSWORD: "a-good-password", ADMIN_PASSWORD_FILE: "<home>/password" },
    "ADMIN_PASSWORD_FILE: ADMIN_PASSWORD is set too; set only one of them",
  ],
  [
    { ADMIN_PASSWORD_FILE: "<home>/nothing" },
    "ADMIN_PASSWORD_FILE: <home>/nothing cannot be read: there is no such file",
  ],
  [{ ADMIN_PASSWORD_FILE: "<home>" }, "ADMIN_PASSWORD_FILE: <home> cannot be read: it is a directory"],
  [{ ADMIN_PASSWORD_FILE: "<home>/null" }, "ADMIN_PASSWORD_FILE: <home>/null is empty"],
  [{ ADMIN_PASSWORD_FILE: "<home>/short" }, "ADMIN_PASSWORD: must have at least 8 characters"],
  [
    { SECRET_KEY: `${"k".repeat(40)},short` },
    "SECRET_KEY: item 2 must have at least 32 characters; a comma separates two keys",
  ],
  [{ AUTOMATION_CLIENT_SECRET: "short" }, "AUTOMATION_CLIENT_SECRET: must have at least 16 characters"],
  [{ SIGN_UP: "yes" }, "SIGN_UP: must be open or closed"],
  [{ SEED: "large" }, "SEED: must be demo or none"],
  [{ TRUST_PROXY: "yes" }, "TRUST_PROXY: must be 1 or 0"],
  [{ RATE_LIMIT: "-1" }, "RATE_LIMIT: must be a number of requests per second, 0 or more"],
  [{ ACCESS_TOKEN_TTL: "0" }, "ACCESS_TOKEN_TTL: must be a whole number of seconds, 1 or more"],
  [
    { AUDIT_FORWARD: "stdout,ftp://logs.example" },
    "AUDIT_FORWARD: ftp://logs.example must be stdout, file:///path, syslog+tls://host:port, https://host/path or otlp+https://host/v1/logs",
  ],
  [
    { AUDIT_FORWARD: "https://me:secret@logs.example/" },
    "AUDIT_FORWARD: item 1 must be stdout, file:///path, syslog+tls://host:port, https://host/path or otlp+https://host/v1/logs",
  ],
  [
    { AUDIT_FORWARD: "syslog+tcp://logs.example" },
    "AUDIT_FORWARD: syslog+tcp://logs.example sends the audit log unencrypted; use https or syslog+tls",
  ],
  [{ AUDIT_FORWARD: "stdout,stdout" }, "AUDIT_FORWARD: an item is there twice"],
  [{ AUDIT_FORWARD_TOKEN: "short" }, "AUDIT_FORWARD_TOKEN: must have at least 8 characters"],
  [{ SMTP_URL: "mail.example:587", MAIL_FROM: "a@b.example" }, `SMTP_URL: ${SMTP_RULE}`],
  [{ SMTP_URL: "https://mail.example", MAIL_FROM: "a@b.example" }, `SMTP_URL: ${SMTP_RULE}`],
  [{ SMTP_URL: "smtps://mail.example?starttls=off", MAIL_FROM: "a@b.example" }, `SMTP_URL: ${SMTP_RULE}`],
  [{ SMTP_URL: "smtp://user@mail.example", MAIL_FROM: "a@b.example" }, `SMTP_URL: ${SMTP_RULE}`],
  [{ SMTP_URL: "smtp://mail.example" }, "SMTP_URL: set MAIL_FROM too, the address that the mail is from"],
  [{ MAIL_FROM: "a@b.example" }, "MAIL_FROM: set SMTP_URL too, the server that sends the mail"],
  [
    { SMTP_URL: "smtp://mail.example", MAIL_FROM: "Console" },
    "MAIL_FROM: must be an address such as console@example.com, or Console <console@example.com>",
  ],
  [
    { SMTP_URL: "smtp://mail.example", MAIL_FROM: 'A "b" c\nBcc: d@e.example <a@b.example>' },
    "MAIL_FROM: must be an address such as console@example.com, or Console <console@example.com>",
  ],
  [
    { SMTP_URL: "smtp://me:secret@mail.example?starttls=off", MAIL_FROM: "a@b.example" },
    "SMTP_URL: its password would be sent unencrypted; remove ?starttls=off",
  ],
  [{ AUDIT_RETENTION_DAYS: "0" }, "AUDIT_RETENTION_DAYS: must be a whole number of days, 1 or more"],
  [{ LOG_LEVEL: "verbose" }, "LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent"],
  [
    { README_IMAGE_ORIGINS: "https://a.example/images" },
    "README_IMAGE_ORIGINS: https://a.example/images must be an origin such as https://images.example.com",
  ],
  [
    { REGISTRY_HOST: "https://registry.example" },
    "REGISTRY_HOST: must be a host name such as registry.example.com, without scheme or path",
  ],
  [{ SINK_HOSTS: "*" }, "SINK_HOSTS: * must be a host name, or *.example.com for all below it"],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" },
    "OTEL_EXPORTER_OTLP_ENDPOINT: must be an http or https address",
  ],
  [{ TRUSTED_ISSUERS: "http://ci.example" }, "TRUSTED_ISSUERS: http://ci.example must be https"],
  [{ BRAND_LOGO: "<home>/none.svg" }, "BRAND_LOGO: <home>/none.svg cannot be read (ENOENT)"],
  [
    { ANNOUNCEMENT: "Maintenance", ANNOUNCEMENT_UNTIL: "Saturday" },
    "ANNOUNCEMENT_UNTIL: must be a time such as 2030-01-31T18:00:00Z (RFC 3339)",
  ],
];

const filled = (text: string): string =>
  text
    .replaceAll("<home>", home)
    .replaceAll("<issuer>", issuer.url)
    .replaceAll("<closed>", String(closedPort))
    .replaceAll("<silent>", String((silent.address() as AddressInfo).port));

test.each(WRONG)("%o: one sentence, which names the variable", async (wrong, sentence) => {
  const variables = Object.fromEntries(Object.entries(wrong).map(([name, value]) => [name, filled(value)]));
  const failed = (await findings(variables)).filter(({ result }) => result === "failed");
  expect(failed.map((one) => one.sentence)).toEqual([filled(sentence)]);
});

/** What keeps no service from starting, since it can recover. */
const DOUBTFUL: typeof WRONG = [
  [
    { TRUSTED_ISSUERS: "http://127.0.0.1:<closed>" },
    "TRUSTED_ISSUERS: http://127.0.0.1:<closed> cannot be used: connect ECONNREFUSED 127.0.0.1:<closed>; its tokens are refused until it answers",
  ],
  [
    { TRUSTED_ISSUERS: "<issuer>/other" },
    "TRUSTED_ISSUERS: <issuer>/other has an invalid discovery document; its tokens are refused until it answers",
  ],
  [
    { SMTP_URL: "smtp://127.0.0.1:<closed>", MAIL_FROM: "a@b.example" },
    "SMTP_URL: 127.0.0.1:<closed> cannot be used: connect ECONNREFUSED 127.0.0.1:<closed>; mails wait until it can",
  ],
];

test.each(DOUBTFUL)("%o: a warning, with an exit code of its own", async (wrong, sentence) => {
  const variables = Object.fromEntries(Object.entries(wrong).map(([name, value]) => [name, filled(value)]));
  const found = await findings(variables);
  expect(found.filter(({ result }) => result !== "ok")).toEqual([
    { result: "warning", what: wrong["SMTP_URL"] ? "mail" : "issuer", sentence: filled(sentence) },
  ]);
  expect(exitCodeOf(found.map(({ result }) => result))).toBe(3);
});

test("the exit code says the worst that was found", () => {
  expect(exitCodeOf(["ok", "ok"])).toBe(0);
  expect(exitCodeOf(["ok", "warning", "failed", "ok"])).toBe(1);
});

test("every problem is told at once, and a misspelling with them", async () => {
  const found = await findings({ PORT: "x", HOST: "a b", ADMIN_PASWORD: "a-good-password", METRICS: "1" });
  expect(found.map(({ result, sentence }) => `${result} ${sentence}`)).toEqual([
    "failed HOST: must be an IP address or a host name, without scheme or port",
    "failed PORT: must be a port number, 0 to 65535",
    "failed ADMIN_PASWORD is not a setting; did you mean ADMIN_PASSWORD?",
  ]);
});

test.each([
  ["LOG_LEVLE", "LOG_LEVLE is not a setting; did you mean LOG_LEVEL?"],
  ["log_level", "log_level is not a setting; did you mean LOG_LEVEL?"],
  ["PUBLIC_URI", "PUBLIC_URI is not a setting; did you mean PUBLIC_URL?"],
  ["SECRET_KEYS_FILE", "SECRET_KEYS_FILE is not a setting; did you mean SECRET_KEY_FILE?"],
  ["PUBLIC_URL_FILE", "PUBLIC_URL_FILE is not a setting; only secrets are read from files"],
  ["METRICS_TOKEN", "METRICS_TOKEN is not a setting of this service"],
])("%s keeps nothing from starting, and is told", async (name, sentence) => {
  const found = await findings({ [name]: "1" });
  expect(found.filter(({ result }) => result !== "ok")).toEqual([
    { result: "warning", what: "configuration", sentence },
  ]);
});

test("the environment of a shell, a container and a continuous integration job names nothing unknown", async () => {
  const names =
    "PATH HOME HOSTNAME USER SHELL TERM LANG TZ PWD OLDPWD SHLVL LOGNAME MAIL EDITOR NODE_ENV NODE_OPTIONS CI";
  const found = await findings(Object.fromEntries(names.split(" ").map((name) => [name, "x"])));
  expect(found.filter(({ result }) => result !== "ok")).toEqual([]);
});

test("a configuration that is right passes, with secrets from files, and says what it found", async () => {
  const found = await findings({ TRUSTED_ISSUERS: issuer.url, ADMIN_PASSWORD_FILE: at("password") });
  expect(found.map(({ result, what }) => `${result} ${what}`)).toEqual([
    "ok configuration",
    "ok database",
    "ok issuer",
  ]);
  expect(found[1]?.sentence).toMatch(/^PostgreSQL 1\d\.\d+[^;]*; the start will run 0 migrations$/);
});
