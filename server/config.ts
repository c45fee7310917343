import * as z from "zod";

import { parseWebAddress } from "~/contract/web-address";

import { LEVELS } from "./log";
import { DEMO_ISSUERS, DEMO_OWNER, DEMO_PASSWORD, DEMO_REGISTRY } from "./demo";

const flag = z
  .enum(["0", "1", "true", "false"], "must be 1 or 0")
  .transform((value) => value === "1" || value === "true");
const seconds = z.coerce.number("must be a number of seconds").int().min(1);
const limit = z.coerce.number("must be a number").int().min(0);
const address = z
  .string()
  .refine((value) => parseWebAddress(value, { http: "anywhere" }), "must be an http or https address");
const isPlain = (value: string): boolean => !/[?#@]/.test(value);
const hasWildcard = (value: string): boolean => URL.canParse(value) && /\*|%2a/i.test(new URL(value).host);
// Appears in error messages and logs, so it must not contain credentials.
const issuer = address
  .refine(isPlain, "must be an address without query, fragment or user")
  .refine((value) => !hasWildcard(value), "must be one host, without a wildcard");
// Compared byte by byte with what a browser sends, so it is normalized the way browsers do it.
const baseAddress = address
  .refine(isPlain, "must be an address without query, fragment or user")
  .refine((value) => !hasWildcard(value), "must be one host, without a wildcard")
  .transform((value) => new URL(value).href.replace(/\/+$/, ""));
// Goes into a header verbatim.
const origin = address.refine(
  (value) => URL.canParse(value) && new URL(value).origin === value,
  "must be an origin such as https://images.example.com",
);
const list = (item: z.ZodType<string, string>) =>
  z
    .string()
    .transform((value) =>
      value
        .split(",")
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .pipe(z.array(item));

const sinkHost = z
  .string()
  .toLowerCase()
  .regex(/^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, "must be a host name, or *.example.com for all below it");

const environment = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: z.coerce.number("must be a port number").int().min(0).max(65_535).default(8080),
  PUBLIC_URL: baseAddress.optional(),
  CONSOLE_URLS: list(baseAddress).default([]),
  FEDERATION_CALLBACKS: list(issuer).default([]),
  DATA_DIR: z.string().default("./data"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// address" }).optional(),
  ADMIN_EMAIL: z.email("must be an email address").default(DEMO_OWNER.email),
  ADMIN_PASSWORD: z.string().min(8, "must have at least 8 characters").optional(),
  SIGN_UP: z.enum(["open", "closed"], "must be open or closed").optional(),
  SIGN_UP_LIMIT: limit.optional(),
  SEED: z.enum(["demo", "none"], "must be demo or none").optional(),
  SERVICE_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+$/, "must be a domain name")
    .default("platform.example"),
  ORGANIZATION_CREATION: z.enum(["everyone", "nobody"], "must be everyone or nobody").default("everyone"),
  ORGANIZATION_LIMIT: limit.default(100),
  SECRET_KEY: list(z.string().min(32, "must have at least 32 characters")).default([]),
  AUTOMATION_CLIENT_SECRET: z.string().min(16, "must have at least 16 characters").optional(),
  TRUSTED_ISSUERS: list(issuer).default([]),
  README_IMAGE_ORIGINS: list(origin).default([]),
  REGISTRY_HOST: z
    .string()
    .regex(/^[a-z0-9.-]+(?::\d{1,5})?$/i, "must be a host name, with a port where it needs one")
    .optional(),
  SINK_HOSTS: list(sinkHost).default([]),
  TRUST_PROXY: flag.default(false),
  ACCESS_TOKEN_TTL: seconds.default(600),
  PAGE_TOKEN_TTL: seconds.default(3 * 24 * 3600),
  KEY_MAX_AGE: z.coerce.number("must be a number of days").min(0).default(90),
  RATE_LIMIT: z.coerce.number("must be a number of requests per second").min(0).default(0),
  SHUTDOWN_DELAY: limit.default(0),
  ALLOW_INSECURE: flag.default(false),
  AUDIT_RETENTION_DAYS: z.coerce
    .number("must be a number of days")
    .int()
    .min(1, "must be 1 or more")
    .optional(),
  LOG_LEVEL: z.enum(LEVELS, `must be one of ${LEVELS.join(", ")}`).default("info"),
  METRICS_HOST: z.string().default("127.0.0.1"),
  METRICS_PORT: z.coerce.number("must be a port number").int().min(0).max(65_535).optional(),
});

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Public address of the service: origin and base path, no trailing slash. */
  readonly publicUrl: string;
  /** The provider's issuer: `publicUrl` + "/oidc". */
  readonly issuer: string;
  /** Base addresses of consoles that can sign in here, each with a trailing slash; `publicUrl` + "/" comes first. */
  readonly consoleUrls: readonly string[];
  /** Callback addresses of other services that use this one as their identity provider. */
  readonly federationCallbacks: readonly string[];
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly adminEmail: string;
  readonly adminPassword: string | undefined;
  readonly signUp: "open" | "closed";
  /** Accounts that one IP address can create before further ones are throttled; zero: no limit. */
  readonly signUpLimit: number;
  readonly seed: "demo" | "none";
  readonly serviceDomain: string;
  readonly organizationCreation: "everyone" | "nobody";
  /** Organizations that one person can create; zero: no limit. */
  readonly organizationLimit: number;
  readonly automationClientSecret: string | undefined;
  /** Encrypt client secrets of identity providers: the first key encrypts, all of them decrypt. */
  readonly secretKeys: readonly string[];
  /** Issuers whose tokens identities can match, without trailing slash; excludes the service's own issuer. */
  readonly trustedIssuers: readonly string[];
  /** Origins from which readmes can show images in the console. */
  readonly readmeImageOrigins: readonly string[];
  /** Registry host in the image references that the console shows. */
  readonly registryHost: string | undefined;
  /** The only hosts that events are sent to, `*.example.com` for all below it; empty: any. */
  readonly sinkHosts: readonly string[];
  readonly trustProxy: boolean;
  /** Seconds. */
  readonly accessTokenTtl: number;
  /** Seconds. */
  readonly pageTokenTtl: number;
  /** Age in days at which a key that signs tokens is replaced on start; zero: replaces all keys on every start. */
  readonly keyMaxAge: number;
  /** Requests per second that one API caller can make; zero: no limit. */
  readonly rateLimit: number;
  /** Seconds between a stop signal and the end of listening, in which `/healthz` fails so that balancers drain. */
  readonly shutdownDelay: number;
  /** True if only this machine can reach the service: `publicUrl` and the listen address are both loopback. */
  readonly loopback: boolean;
  /** True if addresses named by tenants can be private or http: on a loopback `publicUrl` or with ALLOW_INSECURE. */
  readonly fetchAnywhere: boolean;
  /** Days that entries of the audit log are kept; undefined: forever. */
  readonly auditRetentionDays: number | undefined;
  readonly logLevel: string;
  readonly metricsHost: string;
  /** Undefined if metrics are off. */
  readonly metricsPort: number | undefined;
}

export class ConfigError extends Error {}

/** URL normalizes every spelling of an IPv4 address. */
export const isLoopback = (address: string): boolean =>
  ["localhost", "127.0.0.1", "[::1]"].includes(new URL(address).hostname);

/** True if an address points to this machine, by any of its names. */
export const isThisMachine = (address: string): boolean =>
  /^(?:(?:.+\.)?localhost\.?|127\.[\d.]+|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f..:.*|0:0)\])$/.test(
    new URL(address).hostname,
  );

const insecure = (address: string): boolean => address.startsWith("http:") && !isLoopback(address);

/** Reads the environment. Throws a ConfigError that lists every invalid variable. */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  // An empty variable counts as unset, as compose files and unit files write it.
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const result = environment.safeParse(set);
  if (!result.success)
    throw new ConfigError(
      result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`).join("\n"),
    );
  const values = result.data;
  const host = values.HOST.includes(":") ? `[${values.HOST}]` : values.HOST;
  const publicUrl = values.PUBLIC_URL ?? baseAddress.parse(`http://${host}:${values.PORT}`);
  // Check both: demo accounts with known passwords must not be reachable from the network by an unadvertised address.
  const loopback = isLoopback(publicUrl) && isLoopback(`http://${host}`);
  if (insecure(publicUrl) && !values.ALLOW_INSECURE)
    throw new ConfigError(
      "PUBLIC_URL: must be https unless it is a loopback address (set ALLOW_INSECURE=1 to start anyway)",
    );
  if (!loopback && values.ADMIN_PASSWORD === DEMO_PASSWORD)
    throw new ConfigError("ADMIN_PASSWORD: this password is published in the README; choose another one");
  const badConsole = values.CONSOLE_URLS.find(insecure);
  if (badConsole && !values.ALLOW_INSECURE)
    throw new ConfigError(`CONSOLE_URLS: ${badConsole} must be https: sign-ins are sent there`);
  const badCallback = values.FEDERATION_CALLBACKS.find(insecure);
  if (badCallback && !values.ALLOW_INSECURE)
    throw new ConfigError(`FEDERATION_CALLBACKS: ${badCallback} must be https: sign-ins are sent there`);
  const badIssuer = values.TRUSTED_ISSUERS.find(insecure);
  if (badIssuer) throw new ConfigError(`TRUSTED_ISSUERS: ${badIssuer} must be https`);
  const seed = values.SEED ?? (loopback && !values.DATABASE_URL ? "demo" : "none");
  return {
    host: values.HOST,
    port: values.PORT,
    publicUrl,
    issuer: `${publicUrl}/oidc`,
    consoleUrls: [...new Set([publicUrl, ...values.CONSOLE_URLS].map((url) => `${url}/`))],
    federationCallbacks: [...new Set(values.FEDERATION_CALLBACKS)],
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    adminEmail: values.ADMIN_EMAIL.toLowerCase(),
    adminPassword: values.ADMIN_PASSWORD,
    signUp: values.SIGN_UP ?? (loopback ? "open" : "closed"),
    // On a loopback service all users share one IP address.
    signUpLimit: values.SIGN_UP_LIMIT ?? (loopback ? 0 : 20),
    seed,
    serviceDomain: values.SERVICE_DOMAIN,
    organizationCreation: values.ORGANIZATION_CREATION,
    organizationLimit: values.ORGANIZATION_LIMIT,
    automationClientSecret: values.AUTOMATION_CLIENT_SECRET,
    secretKeys: values.SECRET_KEY,
    trustedIssuers: [...new Set([...values.TRUSTED_ISSUERS, ...(seed === "demo" ? DEMO_ISSUERS : [])])],
    readmeImageOrigins: values.README_IMAGE_ORIGINS,
    registryHost: values.REGISTRY_HOST ?? (seed === "demo" ? DEMO_REGISTRY : undefined),
    sinkHosts: values.SINK_HOSTS,
    trustProxy: values.TRUST_PROXY,
    accessTokenTtl: values.ACCESS_TOKEN_TTL,
    pageTokenTtl: values.PAGE_TOKEN_TTL,
    keyMaxAge: values.KEY_MAX_AGE,
    rateLimit: values.RATE_LIMIT,
    shutdownDelay: values.SHUTDOWN_DELAY,
    loopback,
    fetchAnywhere: isLoopback(publicUrl) || values.ALLOW_INSECURE,
    auditRetentionDays: values.AUDIT_RETENTION_DAYS,
    logLevel: values.LOG_LEVEL,
    metricsHost: values.METRICS_HOST,
    metricsPort: values.METRICS_PORT,
  };
}
