import * as z from "zod/mini";

/** The content of `config.json`, with absolute addresses. */
export interface Config {
  /** The console's address: absolute, with a trailing slash. */
  readonly baseUrl: string;
  /** The API's address: absolute, without a trailing slash. */
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
  /** How field paths in an update mask are written; some gateways accept only snake_case (contract 0.8). */
  readonly fieldMaskCase: "camel" | "snake";
  /** Issuers that the platform trusts besides its own; undefined when not stated. */
  readonly trustedIssuers: readonly string[] | undefined;
  /** Origins whose images readmes may show; the page's policy has to allow them too. */
  readonly readmeImageOrigins: readonly string[];
}

/** Why the console cannot start: `message` in short, `explanation` in full, `lines` with each bad key. */
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

const isWebAddress = (value: string): boolean =>
  URL.canParse(value, "https://base.invalid/") &&
  /^https?:$/.test(new URL(value, "https://base.invalid/").protocol);

const isOrigin = (value: string): boolean =>
  URL.canParse(value) && isWebAddress(value) && new URL(value).origin === value;

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

const absolute = (relative: string, base: string): string => new URL(relative, base).href;

/**
 * Reads the content of a `config.json`; relative addresses resolve against `base`.
 * Throws a ConfigError that names every bad key.
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
    apiBaseUrl: absolute(apiBaseUrl, base).replace(/\/+$/, ""),
    oidc: {
      // An issuer is compared as text (OpenID Connect Discovery 4.3): an absolute issuer stays unchanged.
      authority: URL.canParse(oidc.authority) ? oidc.authority : absolute(oidc.authority, base),
      clientId: oidc.clientId,
      scope: oidc.scope,
      extraParams: oidc.extraParams ?? {},
    },
    registryHost,
    title: title ?? "Platform Console",
    fieldMaskCase: fieldMaskCase ?? "camel",
    trustedIssuers,
    readmeImageOrigins: readmeImageOrigins ?? [],
  };
}

/**
 * Reads the answer to a request for `config.json` beside the page. Throws a ConfigError when it is missing, unreadable or wrong,
 * or when the page was not opened over https: without it a browser has neither the hash that PKCE needs nor locks between tabs.
 */
export async function loadConfig(requested: Promise<Response>): Promise<Config> {
  // Absent in an insecure context, whatever the types say.
  if (!(globalThis.crypto as Partial<Crypto> | undefined)?.subtle)
    throw new ConfigError("This address needs https", {
      explanation: `${location.origin} does not use https. Browsers allow sign-in only over https or on localhost.`,
    });
  const base = document.baseURI;
  const url = absolute("config.json", base);
  let response: Response;
  try {
    response = await requested;
  } catch {
    throw new ConfigError("The console's configuration could not be loaded", { lines: [url] });
  }
  if (!response.ok)
    throw new ConfigError("The console's configuration is missing", {
      lines: [`${url} answered ${response.status}`],
    });
  let content: unknown;
  try {
    content = await response.json();
  } catch {
    throw new ConfigError("The console's configuration is not valid JSON", { lines: [url] });
  }
  return readConfig(content, base);
}
