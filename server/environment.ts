import { readFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import { closestMatch } from "leven";
import * as z from "zod";

import { UID_PATTERN } from "platform-contract/aip";
import { trimEndOf } from "platform-contract/trim";
import { parseWebAddress } from "platform-contract/web-address";

import { PRIVATE_HOST_RULE, readPrivateHost } from "./addresses";
import { AUDIT_TARGET_RULE, readAuditTarget } from "./audit-targets";
import { DEMO_OWNER } from "./demo";
import { LEVELS } from "./log";
import { readSender, readSmtpUrl, SMTP_RULE } from "./smtp";

/** Environment variables by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

const flag = z
  .enum(["0", "1", "true", "false"], "must be 1 or 0")
  .transform((value) => value === "1" || value === "true");

/** A number without sign; `sentence` is the message for everything else. */
const number = (sentence: string, min = 0, max = Number.MAX_SAFE_INTEGER, digits = /^\d+$/) =>
  z
    .string()
    .refine((text) => digits.test(text) && Number(text) >= min && Number(text) <= max, sentence)
    .transform(Number);
const decimal = (sentence: string) => number(sentence, 0, Number.MAX_SAFE_INTEGER, /^\d+(?:\.\d+)?$/);
const count = number("must be a whole number, 0 or more");
const seconds = number("must be a whole number of seconds, 1 or more", 1);
const port = number("must be a port number, 0 to 65535", 0, 65_535);

const hostIn = (value: string): string => new URL(value).hostname;
const isPlain = (value: string): boolean => !/[?#@]/.test(value);
const hasWildcard = (value: string): boolean => /\*|%2a/i.test(hostIn(value));

// One reason for each value: the checks after a failed one would only repeat it.
const because = (error: string) => ({ error, abort: true });
const webAddress = (text: z.ZodString) =>
  text
    .refine(
      (value) => parseWebAddress(value, { http: "anywhere" }),
      because("must be an http or https address"),
    )
    .refine((value) => !hostIn(value).includes(","), because("must be one address; remove the comma"));
const address = webAddress(z.string());
// Appears in error messages and logs, so it must not contain credentials.
const issuer = webAddress(
  z.string().refine(isPlain, because("must be an address without query, fragment or user")),
).refine((value) => !hasWildcard(value), because("must be one host, without a wildcard"));
// Compared byte by byte with what a browser sends, so it is normalized the way browsers do it.
const baseAddress = issuer.transform((value) => trimEndOf(new URL(value).href, "/"));
// Goes into a header verbatim.
const origin = address.refine(
  (value) => new URL(value).origin === value,
  "must be an origin such as https://images.example.com",
);
/** Can hold a password, so nothing of its value is told. */
const proxy = z
  .string()
  .refine(
    (value) => ["http:", "https:"].includes(URL.parse(value)?.protocol ?? ""),
    "must be the address of a proxy, such as http://proxy.example.com:3128",
  );
const list = <T>(item: z.ZodType<T, string>) =>
  z
    .string()
    .transform((value) =>
      value
        .split(",")
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .refine((items) => items.length > 0, "has only commas")
    .pipe(z.array(item));

const sinkHost = z
  .string()
  .toLowerCase()
  .regex(/^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, "must be a host name, or *.example.com for all below it");

const privateHost = z.string().transform((text, context) => {
  const host = readPrivateHost(text);
  if (host) return host;
  context.addIssue({ code: "custom", message: PRIVATE_HOST_RULE });
  return z.NEVER;
});

const auditTarget = z.string().transform((text, context) => {
  const target = readAuditTarget(text);
  if (target) return target;
  context.addIssue({ code: "custom", message: AUDIT_TARGET_RULE });
  return z.NEVER;
});

const smtpServer = z.string().transform((text, context) => {
  const server = readSmtpUrl(text);
  if (server) return server;
  context.addIssue({ code: "custom", message: SMTP_RULE });
  return z.NEVER;
});

const sender = z.string().transform((text, context) => {
  const from = readSender(text);
  if (from && z.email().safeParse(from.address).success) return from;
  context.addIssue({
    code: "custom",
    message: "must be an address such as console@example.com, or Console <console@example.com>",
  });
  return z.NEVER;
});

/** A link that everybody gets. */
const secureAddress = z
  .string()
  .refine((value) => parseWebAddress(value) !== undefined, "must be an https address");
/** Links on pages: an address that browsers would read in another way is none. */
const plainAddress = webAddress(z.string());
const supportAddress = z
  .string()
  .refine(
    (value) =>
      /^mailto:[^\s@?]+@[^\s@?]+$/.test(value) || parseWebAddress(value, { http: "anywhere" }) !== undefined,
    "must be an http or https address, or mailto: and an email address",
  );

const HOST_NAME = /^[\w-]+(?:\.[\w-]+)*$/;
const host = z
  .string()
  .refine(
    (value) => HOST_NAME.test(value) || (isIPv6(value) && !value.includes("%")),
    "must be an IP address or a host name, without scheme or port",
  )
  .default("127.0.0.1");

/** Every variable of the service. An unset one takes its default. */
export const environment = z.object({
  HOST: host,
  PORT: port.default(8080),
  PUBLIC_URL: baseAddress.optional(),
  CONSOLE_URLS: list(baseAddress).default([]),
  FEDERATION_CALLBACKS: list(issuer).default([]),
  DATA_DIR: z.string().default("./data"),
  DATABASE_URL: z
    .url({
      protocol: /^postgres(ql)?$/,
      error:
        "must be a postgres:// address; percent-encode characters such as @ / : # in its user and password",
    })
    .optional(),
  ADMIN_EMAIL: z.email("must be an email address").default(DEMO_OWNER.email),
  ADMIN_PASSWORD: z.string().min(8, "must have at least 8 characters").optional(),
  SIGN_UP: z.enum(["open", "closed"], "must be open or closed").optional(),
  SIGN_UP_LIMIT: count.optional(),
  SECOND_FACTOR: z.enum(["optional", "required"], "must be optional or required").default("optional"),
  SEED: z.enum(["demo", "none"], "must be demo or none").optional(),
  SERVICE_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+$/, "must be a domain name in lower case")
    .default("platform.example"),
  ORGANIZATION_CREATION: z.enum(["everyone", "nobody"], "must be everyone or nobody").default("everyone"),
  ORGANIZATION_LIMIT: count.default(100),
  SECRET_KEY: list(
    z.string().min(32, "must have at least 32 characters; a comma separates two keys"),
  ).default([]),
  AUTOMATION_CLIENT_SECRET: z.string().min(16, "must have at least 16 characters").optional(),
  TRUSTED_ISSUERS: list(issuer).default([]),
  README_IMAGE_ORIGINS: list(origin).default([]),
  REGISTRY_HOST: z
    .string()
    .regex(
      /^[a-z0-9.-]+(?::\d{1,5})?$/i,
      "must be a host name such as registry.example.com, without scheme or path",
    )
    .optional(),
  REGISTRY_URL: baseAddress.optional(),
  // As the registry sends it: a bearer token (RFC 6750, section 2.1).
  REGISTRY_EVENTS_SECRET: z
    .string()
    .regex(/^[\w.~+/-]{16,}=*$/, "must have at least 16 characters, only letters, digits and - . _ ~ + /")
    .optional(),
  REGISTRY_PUSH_TTL: number("must be a whole number of seconds, 60 to 86400", 60, 86_400).default(1_800),
  REGISTRY_REDIRECT_HOSTS: list(sinkHost).default([]),
  REGISTRY_SCANNERS: list(z.string().regex(UID_PATTERN, "must be the uid of an identity")).default([]),
  REGISTRY_USAGE_DAYS: number("must be a whole number of days, 1 to 3660", 1, 3_660).default(400),
  BRAND_TITLE: z.string().min(1).max(40, "must have at most 40 characters").optional(),
  BRAND_LOGO: z
    .string()
    .regex(/\.svg$/i, "must be the path of an .svg file")
    .optional(),
  BRAND_ACCENT: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, "must be a color such as #4348e0")
    .optional(),
  SUPPORT_URL: supportAddress.optional(),
  IMPRINT_URL: plainAddress.optional(),
  ANNOUNCEMENT: z.string().max(300, "must have at most 300 characters").optional(),
  ANNOUNCEMENT_LEVEL: z.enum(["info", "warning"], "must be info or warning").default("info"),
  ANNOUNCEMENT_LINK: secureAddress.optional(),
  ANNOUNCEMENT_UNTIL: z.iso
    .datetime({ offset: true, error: "must be a time such as 2030-01-31T18:00:00Z (RFC 3339)" })
    .transform((text) => new Date(text))
    .optional(),
  SINK_HOSTS: list(sinkHost).default([]),
  PRIVATE_HOSTS: list(privateHost).default([]),
  // Read by the HTTP client itself (undici's EnvHttpProxyAgent).
  HTTPS_PROXY: proxy.optional(),
  HTTP_PROXY: proxy.optional(),
  NO_PROXY: z.string().optional(),
  SMTP_URL: smtpServer.optional(),
  MAIL_FROM: sender.optional(),
  TRUST_PROXY: flag.default(false),
  ACCESS_TOKEN_TTL: seconds.default(600),
  PAGE_TOKEN_TTL: seconds.default(3 * 24 * 3600),
  KEY_MAX_AGE: decimal("must be a number of days, 0 or more").default(90),
  RATE_LIMIT: decimal("must be a number of requests per second, 0 or more").default(0),
  READ_ONLY: flag.default(false),
  SHUTDOWN_DELAY: number("must be a whole number of seconds, 0 or more").default(0),
  ALLOW_INSECURE: flag.default(false),
  AUDIT_FORWARD: list(auditTarget).default([]),
  AUDIT_FORWARD_TOKEN: z.string().min(8, "must have at least 8 characters").optional(),
  AUDIT_HEAD_MAILS: flag.default(false),
  ENDING_MAILS: flag.default(true),
  RETENTION_RUNS: flag.default(true),
  CAPABILITY_USE_DAYS: number("must be a whole number of days, 0 to 3660", 0, 3_660).default(400),
  AUDIT_RETENTION_DAYS: number("must be a whole number of days, 1 or more", 1).optional(),
  LOG_LEVEL: z.enum(LEVELS, `must be one of ${LEVELS.join(", ")}`).default("info"),
  METRICS_HOST: host,
  METRICS_PORT: port.optional(),
  // OpenTelemetry reads these itself, and drops what it cannot send without a word.
  OTEL_EXPORTER_OTLP_ENDPOINT: address.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address.optional(),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: address.optional(),
});

/** Variables whose value can be in a file instead, named by the same variable with `_FILE`. Never print their values. */
export const SECRETS: readonly string[] = [
  "ADMIN_PASSWORD",
  "AUDIT_FORWARD_TOKEN",
  "AUTOMATION_CLIENT_SECRET",
  "DATABASE_URL",
  "REGISTRY_EVENTS_SECRET",
  "SECRET_KEY",
  "SMTP_URL",
] satisfies readonly (keyof typeof environment.shape)[];

const fileOf = (name: string): string => `${name}_FILE`;

/** All names that the service reads, except those that only OpenTelemetry reads. */
export const NAMES: readonly string[] = [...Object.keys(environment.shape), ...SECRETS.map(fileOf)];

const WHY: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "this user cannot read it",
  EISDIR: "it is a directory",
};

/**
 * Replaces each `<secret>_FILE` by the content of that file, without its last line break, as secrets are mounted by
 * Docker, Kubernetes and systemd. Returns the problems as sentences.
 */
export function withFiles(variables: Variables): { values: Variables; problems: string[] } {
  const values: Record<string, string | undefined> = { ...variables };
  const problems: string[] = [];
  for (const name of SECRETS) {
    const file = variables[fileOf(name)];
    if (file === undefined) continue;
    const refuse = (why: string) => void problems.push(`${fileOf(name)}: ${why}`);
    if (variables[name] !== undefined) refuse(`${name} is set too; set only one of them`);
    else
      try {
        const text = readFileSync(file, "utf8").replace(/\r?\n$/, "");
        if (text === "") refuse(`${file} is empty`);
        else values[name] = text;
      } catch (error) {
        const code = String(Object(error).code);
        refuse(`${file} cannot be read: ${WHY[code] ?? code}`);
      }
  }
  return { values, problems };
}

/** What is wrong with the value of each variable or of an item in its list, as sentences. */
export function problemsOf(error: z.ZodError, values: Variables): string[] {
  return error.issues.map(({ path: [name, item], message }) => {
    const variable = String(name);
    if (typeof item !== "number") return `${variable}: ${message}`;
    const items = (values[variable] ?? "").split(",").filter((part) => part.trim());
    const text = items[item]?.trim() ?? "";
    // An address can hold a password.
    const which = SECRETS.includes(variable) || text.includes("@") ? `item ${item + 1}` : text;
    return `${variable}: ${which} ${message}`;
  });
}

/** First words that only variables of this service begin with. */
const OWN =
  /^(?:ADMIN|ANNOUNCEMENT|AUDIT|AUTOMATION|BRAND|CONSOLE|FEDERATION|MAIL|METRICS|ORGANIZATION|README|REGISTRY|SECOND|SIGN|SINK|SMTP)_/;
/** Letters that differ in a misspelling. */
const NEAR = 2;

/** Variables that the service does not read but that look like its own, as sentences for the operator. */
export function unknownVariables(variables: Variables): string[] {
  const unknown = Object.keys(variables).filter(
    (name) => variables[name] !== "" && name.length > 4 && !NAMES.includes(name),
  );
  return unknown.flatMap((name) => {
    const near = closestMatch(name.toUpperCase(), [...NAMES], { maxDistance: NEAR });
    if (near !== undefined && near.length > 4) return `${name} is not a setting; did you mean ${near}?`;
    const base = name.replace(/_FILE$/, "");
    if (base !== name && NAMES.includes(base))
      return `${name} is not a setting; only secrets are read from files`;
    return OWN.test(name) ? `${name} is not a setting of this service` : [];
  });
}
