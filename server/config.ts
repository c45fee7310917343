import * as z from "zod";

import { DEMO_ISSUERS, DEMO_OWNER, DEMO_PASSWORD, DEMO_REGISTRY } from "./demo";

const flag = z
  .enum(["0", "1", "true", "false"], "must be 1 or 0")
  .transform((value) => value === "1" || value === "true");
const seconds = z.coerce.number("must be a number of seconds").int().min(1);
const limit = z.coerce.number("must be a number").int().min(0);
const address = z.url({ protocol: /^https?$/, error: "must be an http or https address" });
const isPlain = (value: string): boolean => !/[?#@]/.test(value);
const hasWildcard = (value: string): boolean => URL.canParse(value) && /\*|%2a/i.test(new URL(value).host);
// Whoever reads a message or a log reads it too.
const issuer = address
  .refine(isPlain, "must be an address without query, fragment or user")
  .refine((value) => !hasWildcard(value), "must be one host: a wildcard names none");
// Compared letter by letter with what a browser says of itself, so it is written as a browser writes it.
const baseAddress = address
  .refine(isPlain, "must be an address without query, fragment or user")
  .refine((value) => !hasWildcard(value), "must be one host: a wildcard names none")
  .transform((value) => new URL(value).href.replace(/\/+$/, ""));
// It goes into a header as it is.
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
  TRUST_PROXY: flag.default(false),
  ACCESS_TOKEN_TTL: seconds.default(600),
  PAGE_TOKEN_TTL: seconds.default(3 * 24 * 3600),
  KEY_MAX_AGE: z.coerce.number("must be a number of days").min(0).default(90),
  RATE_LIMIT: z.coerce.number("must be a number of requests per second").min(0).default(0),
  SHUTDOWN_DELAY: limit.default(0),
  ALLOW_INSECURE: flag.default(false),
  METRICS_HOST: z.string().default("127.0.0.1"),
  METRICS_PORT: z.coerce.number("must be a port number").int().min(0).max(65_535).optional(),
});

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Where the world reaches the service: origin and base path, no trailing slash. */
  readonly publicUrl: string;
  /** The provider's issuer: `publicUrl` + "/oidc". */
  readonly issuer: string;
  /** Base addresses of consoles that may sign in here, each with a trailing slash; `publicUrl` + "/" comes first. */
  readonly consoleUrls: readonly string[];
  /** Where other services that have this one as their identity provider take people back. */
  readonly federationCallbacks: readonly string[];
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly adminEmail: string;
  readonly adminPassword: string | undefined;
  readonly signUp: "open" | "closed";
  /** Accounts that one address may create before each next one has to wait; zero: as many as it likes. */
  readonly signUpLimit: number;
  readonly seed: "demo" | "none";
  readonly serviceDomain: string;
  readonly organizationCreation: "everyone" | "nobody";
  /** Organizations that one person may have made; zero: as many as they like. */
  readonly organizationLimit: number;
  readonly automationClientSecret: string | undefined;
  /** What client secrets of identity providers are encrypted with: the first; the others still decrypt. */
  readonly secretKeys: readonly string[];
  /** Issuers without trailing slash whose tokens identities may match; the own issuer is not among them. */
  readonly trustedIssuers: readonly string[];
  /** Origins whose images readmes may show in the console. */
  readonly readmeImageOrigins: readonly string[];
  /** Where images are pulled from, for the references that the console shows. */
  readonly registryHost: string | undefined;
  readonly trustProxy: boolean;
  /** Seconds. */
  readonly accessTokenTtl: number;
  /** Seconds. */
  readonly pageTokenTtl: number;
  /** Days after which a start replaces the key that signs tokens; zero: all keys, at once. */
  readonly keyMaxAge: number;
  /** Requests per second that a caller of the API may make; zero: as many as they like. */
  readonly rateLimit: number;
  /** Seconds between a signal to stop and the end of listening, in which `/healthz` sends balancers away. */
  readonly shutdownDelay: number;
  /** Whether this machine alone can reach the service: `publicUrl` and what it listens on are loopback addresses. */
  readonly loopback: boolean;
  /** Whether what a tenant names may be fetched from any address, private ones and http included: on this machine alone. */
  readonly fetchAnywhere: boolean;
  readonly metricsHost: string;
  /** Undefined: there are no metrics. */
  readonly metricsPort: number | undefined;
}

export class ConfigError extends Error {}

/** URL writes an IPv4 address in one way, whatever it was written like. */
export const isLoopback = (address: string): boolean =>
  ["localhost", "127.0.0.1", "[::1]"].includes(new URL(address).hostname);

/** Whether an address leads to this machine, by any of its names for itself. */
export const isThisMachine = (address: string): boolean =>
  /^(?:(?:.+\.)?localhost\.?|127\.[\d.]+|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f..:.*|0:0)\])$/.test(
    new URL(address).hostname,
  );

const insecure = (address: string): boolean => address.startsWith("http:") && !isLoopback(address);

/** Reads the environment; throws a ConfigError that names every bad variable. */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  // An empty variable is an unset one: that is how compose files and unit files leave them out.
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const result = environment.safeParse(set);
  if (!result.success)
    throw new ConfigError(
      result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`).join("\n"),
    );
  const values = result.data;
  const host = values.HOST.includes(":") ? `[${values.HOST}]` : values.HOST;
  const publicUrl = values.PUBLIC_URL ?? baseAddress.parse(`http://${host}:${values.PORT}`);
  // Both: demo people with known passwords must not be had from the network by an address that nobody advertises.
  const loopback = isLoopback(publicUrl) && isLoopback(`http://${host}`);
  if (insecure(publicUrl) && !values.ALLOW_INSECURE)
    throw new ConfigError(
      "PUBLIC_URL: browsers sign in over https only, off the loopback address (ALLOW_INSECURE=1 starts anyway)",
    );
  if (!loopback && values.ADMIN_PASSWORD === DEMO_PASSWORD)
    throw new ConfigError(
      "ADMIN_PASSWORD: the README tells everybody the demo's password; choose another one",
    );
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
    // On this machine alone everybody has one address.
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
    trustProxy: values.TRUST_PROXY,
    accessTokenTtl: values.ACCESS_TOKEN_TTL,
    pageTokenTtl: values.PAGE_TOKEN_TTL,
    keyMaxAge: values.KEY_MAX_AGE,
    rateLimit: values.RATE_LIMIT,
    shutdownDelay: values.SHUTDOWN_DELAY,
    loopback,
    fetchAnywhere: isLoopback(publicUrl) || values.ALLOW_INSECURE,
    metricsHost: values.METRICS_HOST,
    metricsPort: values.METRICS_PORT,
  };
}
