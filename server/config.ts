import type * as z from "zod";

import { environment, problemsOf, unknownVariables, withFiles, type Variables } from "./environment";
import type { PrivateHost } from "./addresses";
import type { NamedTarget } from "./audit-targets";
import { exposesPassword, type MailSettings } from "./smtp";
import { DEMO_ISSUERS, DEMO_PASSWORD, DEMO_REGISTRY } from "./demo";

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
  /** Whether people who sign in here need a second factor; those of identity providers do not. */
  readonly secondFactor: "optional" | "required";
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
  /** The OCI registry behind this service; undefined if none is connected. */
  readonly registry: RegistrySettings | undefined;
  /** The only hosts that events are sent to, `*.example.com` for all below it; empty: any. */
  readonly sinkHosts: readonly string[];
  /** What tenants may name though it is in a private network. */
  readonly privateHosts: readonly PrivateHost[];
  /** What the installation is called on its pages. */
  readonly title: string;
  /** Path of an SVG file in place of the logo. */
  readonly logo: string | undefined;
  /** `#rrggbb`: the color of buttons, links and what is chosen, in place of the console's own. */
  readonly accent: string | undefined;
  /** Where people get help, and who runs the installation: links on the sign-in page and in the account menu. */
  readonly supportUrl: string | undefined;
  readonly imprintUrl: string | undefined;
  /** What the operator tells everybody. */
  readonly announcement: Announcement | undefined;
  /** How mail is sent; undefined if it is not. */
  readonly mail: MailSettings | undefined;
  readonly trustProxy: boolean;
  /** Seconds. */
  readonly accessTokenTtl: number;
  /** Seconds. */
  readonly pageTokenTtl: number;
  /** Age in days at which a key that signs tokens is replaced on start; zero: replaces all keys on every start. */
  readonly keyMaxAge: number;
  /** Requests per second that one API caller can make; zero: no limit. */
  readonly rateLimit: number;
  /** Writes are refused, and nothing is done in the background; people can sign in and read. */
  readonly readOnly: boolean;
  /** Seconds between a stop signal and the end of listening, in which `/readyz` fails so that balancers drain. */
  readonly shutdownDelay: number;
  /** True if only this machine can reach the service: `publicUrl` and the listen address are both loopback. */
  readonly loopback: boolean;
  /** True if addresses named by tenants can be private or http: on a loopback `publicUrl` or with ALLOW_INSECURE. */
  readonly fetchAnywhere: boolean;
  /** Where the audit log is forwarded to. */
  readonly auditForward: readonly NamedTarget[];
  /** The bearer token for that, over https. */
  readonly auditForwardToken: string | undefined;
  /** Owners get the heads of their logs by mail. */
  readonly auditHeadMails: boolean;
  /** People get mail about what they own that ends soon, if the service sends mail. */
  readonly endingMails: boolean;
  /** Whether this service runs retention rules. */
  readonly retentionRuns: boolean;
  /** Days that entries of the audit log are kept; undefined: forever. */
  readonly auditRetentionDays: number | undefined;
  /** Days for which use of capabilities is kept; 0: none is counted. */
  readonly capabilityUseDays: number;
  readonly logLevel: string;
  readonly metricsHost: string;
  /** Undefined if metrics are off. */
  readonly metricsPort: number | undefined;
}

export interface Announcement {
  /** At most 300 characters. */
  readonly text: string;
  readonly level: "info" | "warning";
  /** Where there is more about it: https. */
  readonly link: string | undefined;
  /** It is not shown from then on; undefined: until a start without it. */
  readonly until: Date | undefined;
}

/** The announcement that is shown at this time. */
export const announcementAt = (
  { announcement }: Pick<Config, "announcement">,
  time: Date,
): Announcement | undefined =>
  announcement?.until === undefined || time < announcement.until ? announcement : undefined;

export interface RegistrySettings {
  /** Where the service reaches it: no trailing slash. It can be a private address. */
  readonly url: string;
  /** Its name in tokens, as the registry's own configuration says it: the host that images are pulled from. */
  readonly service: string;
  /** Who issues its tokens; also the audience of tokens that are signed for the registry only. */
  readonly issuer: string;
  /** What its notifications send as bearer token; undefined if they are not taken. */
  readonly eventsSecret: string | undefined;
  /** Seconds for which a token lives that can push. */
  readonly pushTtl: number;
  /** Hosts besides its own to which its redirects are followed, without a token. */
  readonly redirectHosts: readonly string[];
  /** Uids of identities that scan images: what they pull is not use. */
  readonly scanners: readonly string[];
  /** Days for which pulls are kept. */
  readonly usageDays: number;
}

/** The issuer of tokens for the registry, and the audience of tokens that are signed for it only. */
export const registryIssuerOf = (publicUrl: string): string => `${publicUrl}/registry`;

/** What an installation is called unless BRAND_TITLE says otherwise. */
export const PRODUCT = "Platform Console";

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

/** Names of one label are those of a network of containers. */
const isBeside = (address: string): boolean =>
  isLoopback(address) || !new URL(address).hostname.includes(".");

/** A misspelt name can be the reason, so those are told as well. */
const refusal = (problems: readonly string[], variables: Variables): ConfigError =>
  new ConfigError([...problems, ...unknownVariables(variables)].join("\n"));

/** What is wrong in combination, as sentences. */
function conflicts(values: z.infer<typeof environment>, publicUrl: string, loopback: boolean): string[] {
  const { HOST, PUBLIC_URL, ALLOW_INSECURE: anyway } = values;
  const problems: string[] = [];
  if (insecure(publicUrl) && !anyway)
    problems.push(
      PUBLIC_URL === undefined
        ? `HOST: other machines can reach ${HOST}; set PUBLIC_URL to the https address that they use (or set ALLOW_INSECURE=1 to start anyway)`
        : "PUBLIC_URL: must be https unless it is a loopback address (set ALLOW_INSECURE=1 to start anyway)",
    );
  if (!loopback && values.ADMIN_PASSWORD === DEMO_PASSWORD)
    problems.push("ADMIN_PASSWORD: this password is published in the README; choose another one");
  for (const name of ["CONSOLE_URLS", "FEDERATION_CALLBACKS"] as const)
    for (const item of values[name])
      if (insecure(item) && !anyway) problems.push(`${name}: ${item} must be https: sign-ins are sent there`);
  for (const { name, exposed } of values.AUDIT_FORWARD)
    if (exposed && !anyway)
      problems.push(`AUDIT_FORWARD: ${name} sends the audit log unencrypted; use https or syslog+tls`);
  if (new Set(values.AUDIT_FORWARD.map(({ name }) => name)).size < values.AUDIT_FORWARD.length)
    problems.push("AUDIT_FORWARD: an item is there twice");
  if ((values.SMTP_URL === undefined) !== (values.MAIL_FROM === undefined))
    problems.push(
      values.SMTP_URL === undefined
        ? "MAIL_FROM: set SMTP_URL too, the server that sends the mail"
        : "SMTP_URL: set MAIL_FROM too, the address that the mail is from",
    );
  if (values.AUDIT_HEAD_MAILS && values.SMTP_URL === undefined)
    problems.push("AUDIT_HEAD_MAILS: set SMTP_URL too, the server that sends the mail");
  if (values.ANNOUNCEMENT === undefined)
    for (const name of ["ANNOUNCEMENT_LINK", "ANNOUNCEMENT_UNTIL"] as const)
      if (values[name] !== undefined) problems.push(`${name}: set ANNOUNCEMENT too, the text`);
  if (values.SMTP_URL && exposesPassword(values.SMTP_URL) && !anyway)
    problems.push("SMTP_URL: its password would be sent unencrypted; remove ?starttls=off");
  if (values.REGISTRY_URL?.startsWith("http:") && !isBeside(values.REGISTRY_URL) && !anyway)
    problems.push("REGISTRY_URL: must be https unless it is a loopback address or a name such as registry");
  if (values.REGISTRY_URL === undefined)
    for (const name of ["REGISTRY_EVENTS_SECRET", "REGISTRY_REDIRECT_HOSTS", "REGISTRY_SCANNERS"] as const)
      if (values[name]?.length) problems.push(`${name}: set REGISTRY_URL too, the address of the registry`);
  for (const item of values.TRUSTED_ISSUERS)
    if (insecure(item)) problems.push(`TRUSTED_ISSUERS: ${item} must be https`);
  return problems;
}

/**
 * Reads the environment, and the files that its `*_FILE` variables name. Throws a ConfigError that lists every problem,
 * one on each line.
 */
export function readConfig(variables: Variables): Config {
  // An empty variable counts as unset, as compose files and unit files write it.
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const { values: given, problems } = withFiles(set);
  const result = environment.safeParse(given);
  if (!result.success) problems.push(...problemsOf(result.error, given));
  if (!result.success || problems.length > 0) throw refusal(problems, variables);
  const values = result.data;
  const host = values.HOST.includes(":") ? `[${values.HOST}]` : values.HOST;
  const publicUrl = values.PUBLIC_URL ?? new URL(`http://${host}:${values.PORT}`).origin;
  // Check both: demo accounts with known passwords must not be reachable from the network by an unadvertised address.
  const loopback = isLoopback(publicUrl) && isLoopback(`http://${host}`);
  const found = conflicts(values, publicUrl, loopback);
  if (found.length > 0) throw refusal(found, variables);
  const registryUrl = values.REGISTRY_URL;
  const registryHost =
    values.REGISTRY_HOST ?? (registryUrl === undefined ? undefined : new URL(registryUrl).host);
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
    secondFactor: values.SECOND_FACTOR,
    seed,
    serviceDomain: values.SERVICE_DOMAIN,
    organizationCreation: values.ORGANIZATION_CREATION,
    organizationLimit: values.ORGANIZATION_LIMIT,
    automationClientSecret: values.AUTOMATION_CLIENT_SECRET,
    secretKeys: values.SECRET_KEY,
    trustedIssuers: [...new Set([...values.TRUSTED_ISSUERS, ...(seed === "demo" ? DEMO_ISSUERS : [])])],
    readmeImageOrigins: values.README_IMAGE_ORIGINS,
    registryHost: registryHost ?? (seed === "demo" ? DEMO_REGISTRY : undefined),
    registry:
      registryUrl === undefined || registryHost === undefined
        ? undefined
        : {
            url: registryUrl,
            service: registryHost,
            issuer: registryIssuerOf(publicUrl),
            eventsSecret: values.REGISTRY_EVENTS_SECRET,
            pushTtl: values.REGISTRY_PUSH_TTL,
            redirectHosts: values.REGISTRY_REDIRECT_HOSTS,
            scanners: values.REGISTRY_SCANNERS,
            usageDays: values.REGISTRY_USAGE_DAYS,
          },
    sinkHosts: values.SINK_HOSTS,
    privateHosts: values.PRIVATE_HOSTS,
    title: values.BRAND_TITLE ?? PRODUCT,
    logo: values.BRAND_LOGO,
    accent: values.BRAND_ACCENT,
    supportUrl: values.SUPPORT_URL,
    imprintUrl: values.IMPRINT_URL,
    announcement:
      values.ANNOUNCEMENT === undefined
        ? undefined
        : {
            text: values.ANNOUNCEMENT,
            level: values.ANNOUNCEMENT_LEVEL,
            link: values.ANNOUNCEMENT_LINK,
            until: values.ANNOUNCEMENT_UNTIL,
          },
    mail:
      values.SMTP_URL && values.MAIL_FROM ? { server: values.SMTP_URL, from: values.MAIL_FROM } : undefined,
    trustProxy: values.TRUST_PROXY,
    accessTokenTtl: values.ACCESS_TOKEN_TTL,
    pageTokenTtl: values.PAGE_TOKEN_TTL,
    keyMaxAge: values.KEY_MAX_AGE,
    rateLimit: values.RATE_LIMIT,
    readOnly: values.READ_ONLY,
    shutdownDelay: values.SHUTDOWN_DELAY,
    loopback,
    fetchAnywhere: isLoopback(publicUrl) || values.ALLOW_INSECURE,
    auditForward: values.AUDIT_FORWARD,
    auditForwardToken: values.AUDIT_FORWARD_TOKEN,
    auditHeadMails: values.AUDIT_HEAD_MAILS,
    endingMails: values.ENDING_MAILS,
    retentionRuns: values.RETENTION_RUNS,
    auditRetentionDays: values.AUDIT_RETENTION_DAYS,
    capabilityUseDays: values.CAPABILITY_USE_DAYS,
    logLevel: values.LOG_LEVEL,
    metricsHost: values.METRICS_HOST,
    metricsPort: values.METRICS_PORT,
  };
}
