import { apiAddress, issuerAddress } from "platform-client/service-address";
import * as z from "zod/mini";

import { parseUrl } from "../contract/url";
import { parseWebAddress } from "../contract/web-address";

/** The content of `config.json`, with absolute URLs. */
export interface Config {
  /** The console's URL: absolute, with a trailing slash. */
  readonly baseUrl: string;
  /** The API's URL: absolute, without a trailing slash. */
  readonly apiBaseUrl: string;
  readonly oidc: {
    /** The issuer, absolute. */
    readonly authority: string;
    readonly clientId: string;
    readonly scope: string;
    /** Added to the authorization request, for issuers that want an `audience` or a `resource`. */
    readonly extraParams: Readonly<Record<string, string>>;
  };
  readonly registryHost: string | undefined;
  readonly title: string;
  /** Where people get help: a web address or `mailto:`. */
  readonly supportUrl: string | undefined;
  /** Who runs the installation. */
  readonly imprintUrl: string | undefined;
  /** The service answers a repeated POST with the same `Idempotency-Key` once. */
  readonly idempotencyKeys: boolean;
  /** The service takes no writes now, for maintenance. */
  readonly readOnly: boolean;
  /** A banner for everybody. */
  readonly announcement: Announcement | undefined;
  /** The service has an audit log (`/audit/v1`), which the published API lacks. */
  readonly auditLog: boolean;
  /** The service tells what became of events (`/events-log/v1`), which the published API does not. */
  readonly eventsLog: boolean;
  /** The service tells which tags hold a package (`/image-packages/v1`), which the published API does not. */
  readonly imagePackages: boolean;
  /** The service signs snapshots (`/snapshots/v1`), which the published API does not. */
  readonly snapshotSignatures: boolean;
  /** The service gives tokens at `/sts/exchange`; other services have that at the host of their issuer. */
  readonly tokenExchange: boolean;
  /** The service has access requests, which the published API lacks except for the asking. */
  readonly accessRequests: boolean;
  /** The service says whether an identity may do something, and why (`/access/v1`), which the published API lacks. */
  readonly accessDecisions: boolean;
  /** The service checks guard rails (`/access/v1/guardRails`), which the published API does not have. */
  readonly guardRails: boolean;
  /** The service keeps eligible grants (`/access/v1/eligibleGrants`), which the published API does not have. */
  readonly eligibleGrants: boolean;
  /** The service keeps access reviews (`/access/v1/reviews`), which the published API does not have. */
  readonly accessReviews: boolean;
  /** The service keeps why a change was made (`Change-Justification`) in its audit log, which the published API does not. */
  readonly changeJustifications: boolean;
  /** The service checks writes without doing them. */
  readonly validateOnly: boolean;
  /** Reads answer as of a moment (`read_time`). */
  readonly readTime: boolean;
  /** The service tells what ends soon, and keeps who answers for machines (`/notices/v1`), which the published API does not. */
  readonly notices: boolean;
  /** The service runs retention rules (`/registry-retention/v1`), which the published API does not. */
  readonly retention: boolean;
  /** The service counts which capabilities identities use. */
  readonly capabilityUse: boolean;
  /** The service tells what the directories of identity providers have pushed, which the published API does not. */
  readonly pushedGroups: boolean;
  /** The service prepares and tests identity providers that are not saved (`/federation/v1`), which the published API lacks. */
  readonly providerSetup: boolean;
  /** The service tells what was pulled from its registry (`/registry-usage/v1`), which the published API does not. */
  readonly registryUsage: boolean;
  /** The service tells what it saw in its registry (`/registry-images/v1`), which the published API does not. */
  readonly registryImages: boolean;
  /** The audience of tokens that are signed for the registry alone; undefined if none is connected. */
  readonly registryAudience: string | undefined;
  /** The service sends mail: invites, and links that confirm the address of an account. */
  readonly mail: boolean;
  /** uids of identities at the root level that are clients of the service, not people. */
  readonly machineIdentities: readonly string[];
  /** Client ids at the issuer that programs sign in with, not people. */
  readonly machineClients: readonly string[];
  /** How field paths in an update mask are written; some gateways accept only snake_case (AIP-134). */
  readonly fieldMaskCase: "camel" | "snake";
  /** Issuers that the platform trusts in addition to its own; undefined if not configured. */
  readonly trustedIssuers: readonly string[] | undefined;
  /** Origins from which readmes can load images; the page's policy must allow them too. */
  readonly readmeImageOrigins: readonly string[];
}

/** What the operator tells everybody. */
export interface Announcement {
  readonly text: string;
  readonly level: "info" | "warning";
  /** Where there is more about it. */
  readonly link: string | undefined;
  /** Milliseconds; not shown from then on. */
  readonly until: number | undefined;
}

/** Why the console cannot start: a short `message`, a long `explanation`, and `lines` with each invalid key. */
export class ConfigError extends Error {
  readonly explanation: string | undefined;
  readonly lines: readonly string[];

  constructor(
    message: string,
    { explanation, lines = [] }: { explanation?: string; lines?: readonly string[] },
  ) {
    super(message);
    this.name = "ConfigError";
    this.explanation = explanation;
    this.lines = lines;
  }
}

/** Absolute, or relative to the page. */
function isWebAddress(value: string): boolean {
  const url = /[\s\\]/.test(value) ? undefined : parseUrl(value, "https://base.invalid/");
  return url !== undefined && parseWebAddress(url.href, { http: "anywhere" }) !== undefined;
}

const isOrigin = (value: string): boolean => isWebAddress(value) && parseUrl(value)?.origin === value;

/** What is off unless it is set to `true`. */
const FLAGS = [
  "idempotencyKeys",
  "auditLog",
  "eventsLog",
  "readOnly",
  "imagePackages",
  "snapshotSignatures",
  "tokenExchange",
  "accessRequests",
  "notices",
  "retention",
  "capabilityUse",
  "accessDecisions",
  "accessReviews",
  "guardRails",
  "eligibleGrants",
  "changeJustifications",
  "validateOnly",
  "readTime",
  "pushedGroups",
  "providerSetup",
  "registryUsage",
  "registryImages",
  "mail",
] as const;
type Flag = { [K in keyof Config]: Config[K] extends boolean ? K : never }[keyof Config];

/** A value for each of them; the compiler requires all. */
const eachFlag = <T>(valueOf: (flag: (typeof FLAGS)[number]) => T): Record<Flag, T> =>
  Object.fromEntries(FLAGS.map((flag) => [flag, valueOf(flag)])) as Record<(typeof FLAGS)[number], T>;

const text = z.string("must be text").check(z.minLength(1, "must not be empty"));
const address = z
  .string("must be a URL")
  .check(z.minLength(1, "must not be empty"), z.refine(isWebAddress, "must be an http or https URL"));

const file = z.object(
  {
    apiBaseUrl: address,
    oidc: z.object(
      {
        authority: address,
        clientId: text,
        scope: text.check(
          z.refine((scope) => scope.split(/\s+/).includes("openid"), 'must contain "openid"'),
        ),
        extraParams: z.optional(z.record(z.string(), z.string("must be text"), "must be an object")),
      },
      "must be an object",
    ),
    registryHost: z.optional(text),
    title: z.optional(text),
    supportUrl: z.optional(
      z
        .string("must be text")
        .check(
          z.refine(
            (value) => isWebAddress(value) || /^mailto:[^\s@?]+@[^\s@?]+$/.test(value),
            "must be an http or https URL, or mailto: and an email address",
          ),
        ),
    ),
    imprintUrl: z.optional(address),
    ...eachFlag(() => z.optional(z.boolean("must be true or false"))),
    announcement: z.optional(
      z.object(
        {
          text,
          level: z.optional(z.enum(["info", "warning"], 'must be "info" or "warning"')),
          link: z.optional(address),
          until: z.optional(
            z
              .string("must be a time")
              .check(z.refine((value) => !Number.isNaN(Date.parse(value)), "must be a time (RFC 3339)")),
          ),
        },
        "must be an object",
      ),
    ),
    registryAudience: z.optional(address),
    machineIdentities: z.optional(z.array(text, "must be a list")),
    machineClients: z.optional(z.array(text, "must be a list")),
    fieldMaskCase: z.optional(z.enum(["camel", "snake"], 'must be "camel" or "snake"')),
    trustedIssuers: z.optional(z.array(text, "must be a list")),
    readmeImageOrigins: z.optional(
      z.array(
        text.check(z.refine(isOrigin, "must be an origin such as https://images.example.com")),
        "must be a list",
      ),
    ),
  },
  "must be an object",
);

type AnnouncementEntry = NonNullable<z.infer<typeof file>["announcement"]>;

const readAnnouncement = ({ text, level, link, until }: AnnouncementEntry): Announcement => ({
  text,
  level: level ?? "info",
  link,
  until: until === undefined ? undefined : Date.parse(until),
});

const absolute = (relative: string, base: string): string => new URL(relative, base).href;

/**
 * Parses the content of a `config.json`; relative URLs resolve against `base`.
 * Throws a ConfigError that names every invalid key.
 */
export function readConfig(content: unknown, base: string): Config {
  const result = file.safeParse(content);
  if (!result.success)
    throw new ConfigError("config.json is invalid", {
      lines: result.error.issues.map(
        (issue) => `${issue.path.join(".") || "The whole file"}: ${issue.message}`,
      ),
    });
  const { apiBaseUrl, oidc, registryHost, title, fieldMaskCase, trustedIssuers, readmeImageOrigins } =
    result.data;
  return {
    baseUrl: new URL(".", base).href,
    apiBaseUrl: apiAddress(apiBaseUrl, base),
    oidc: {
      authority: issuerAddress(oidc.authority, base),
      clientId: oidc.clientId,
      scope: oidc.scope,
      extraParams: oidc.extraParams ?? {},
    },
    registryHost,
    title: title ?? "Platform Console",
    supportUrl: result.data.supportUrl,
    imprintUrl: result.data.imprintUrl,
    ...eachFlag((flag) => result.data[flag] ?? false),
    announcement: result.data.announcement && readAnnouncement(result.data.announcement),
    registryAudience: result.data.registryAudience,
    machineIdentities: result.data.machineIdentities ?? [],
    machineClients: result.data.machineClients ?? [],
    fieldMaskCase: fieldMaskCase ?? "camel",
    trustedIssuers,
    readmeImageOrigins: readmeImageOrigins ?? [],
  };
}

/**
 * Reads the response to a request for `config.json` next to the page. Throws a ConfigError if it is missing, unreadable
 * or invalid, or if the page is not served over https: without https, browsers have neither the hash that PKCE needs
 * nor locks between tabs.
 */
export async function loadConfig(requested: Promise<Response>): Promise<Config> {
  // Undefined in an insecure context, despite the types.
  if (!globalThis.crypto?.subtle)
    throw new ConfigError("This address needs https", {
      explanation: `${location.origin} doesn't use https. Browsers allow sign-in only over https or on localhost.`,
    });
  const base = document.baseURI;
  const url = absolute("config.json", base);
  let response: Response;
  try {
    response = await requested;
  } catch {
    throw new ConfigError("The console's configuration couldn't be loaded", { lines: [url] });
  }
  if (!response.ok)
    throw new ConfigError("The console's configuration is missing", {
      lines: [`${url} returned ${response.status}`],
    });
  let content: unknown;
  try {
    content = await response.json();
  } catch {
    throw new ConfigError("The console's configuration is not valid JSON", { lines: [url] });
  }
  return readConfig(content, base);
}
