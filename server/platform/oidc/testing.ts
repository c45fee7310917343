import { createHash, randomBytes } from "node:crypto";

/** Tokens from the token endpoint, and the browser with the session. */
export interface SignedIn {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly idToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly browser: Browser;
}

interface Cookie {
  readonly value: string;
  readonly path: string;
}

export interface PageAnswer {
  readonly status: number;
  readonly url: string;
  readonly location: string | undefined;
  readonly headers: Headers;
  readonly body: string;
}

/** A minimal browser for sign-in: cookies with their paths, forms with an Origin. Does not follow redirects. */
export class Browser {
  readonly #cookies = new Map<string, Cookie>();

  get cookies(): string[] {
    return [...this.#cookies.keys()];
  }

  /** Returns the value of a cookie, or "". */
  cookie = (name: string): string => this.#cookies.get(name)?.value ?? "";

  /** Replaces the value of a cookie that the site has set. */
  setCookie(name: string, value: string): void {
    const known = this.#cookies.get(name);
    if (known) this.#cookies.set(name, { ...known, value });
  }

  async request(url: string, init: RequestInit = {}): Promise<PageAnswer> {
    const { pathname } = new URL(url);
    const cookie = [...this.#cookies]
      .filter(([, { path }]) => pathname === path || pathname.startsWith(path.replace(/\/?$/, "/")))
      .map(([name, { value }]) => `${name}=${value}`)
      .join("; ");
    const headers = { accept: "text/html", ...(cookie && { cookie }), ...init.headers };
    const response = await fetch(url, { redirect: "manual", ...init, headers });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    const location = response.headers.get("location");
    return {
      status: response.status,
      url,
      location: location === null ? undefined : new URL(location, url).href,
      headers: response.headers,
      body: await response.text(),
    };
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split(/;\s*/);
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? "/";
    if (/expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(name);
    else this.#cookies.set(name, { value, path });
  }

  get = (url: string): Promise<PageAnswer> => this.request(url);

  /** Submits a form like one of the site's own pages. */
  submit = (
    url: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<PageAnswer> =>
    this.request(url, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { origin: new URL(url).origin, "sec-fetch-site": "same-origin", ...headers },
    });

  /** Follows redirects until a page, or until the address `stop` with any query, which it does not request. */
  async follow(answer: PageAnswer, stop: string): Promise<PageAnswer> {
    let last = answer;
    for (let hops = 0; hops < 10; hops += 1) {
      if (last.location === undefined || last.location.split("?", 1)[0] === stop) return last;
      last = await this.get(last.location);
    }
    throw new Error(`too many redirects, last to ${last.location}`);
  }
}

/** The text of an attribute in a page. */
export const unescaped = (text: string): string =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

/** Parameters of the console's authorization request, and the verifier to redeem its code with. */
export function authorization(baseUrl: string, more: Readonly<Record<string, string>> = {}) {
  const verifier = randomBytes(32).toString("base64url");
  const redirectUri = `${baseUrl}/`;
  const query = new URLSearchParams({
    client_id: "console",
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid email profile offline_access",
    state: randomBytes(8).toString("hex"),
    nonce: randomBytes(8).toString("hex"),
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...more,
  });
  return {
    url: `${baseUrl}/oidc/auth?${query.toString()}`,
    verifier,
    redirectUri: query.get("redirect_uri") ?? "",
  };
}

/** Calls the token endpoint like the console; returns the response's JSON, errors included. */
export async function tokenRequest(
  baseUrl: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; json: Record<string, unknown>; headers: Headers }> {
  const response = await fetch(`${baseUrl}/oidc/token`, {
    method: "POST",
    body: new URLSearchParams({ ...(headers["authorization"] ? {} : { client_id: "console" }), ...fields }),
    headers,
  });
  return {
    status: response.status,
    json: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  };
}

export const refresh = (baseUrl: string, refreshToken: string) =>
  tokenRequest(baseUrl, { grant_type: "refresh_token", refresh_token: refreshToken });

/** Redeems the code in the address that the browser was redirected to. */
export async function redeem(
  baseUrl: string,
  browser: Browser,
  back: string | undefined,
  { verifier, redirectUri }: { verifier: string; redirectUri: string },
): Promise<SignedIn> {
  const code = new URL(back ?? "about:blank").searchParams.get("code");
  if (!code) throw new Error(`no code in ${back}`);
  const { status, json } = await tokenRequest(baseUrl, {
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`);
  return {
    accessToken: String(json["access_token"]),
    refreshToken: String(json["refresh_token"]),
    idToken: String(json["id_token"]),
    expiresIn: Number(json["expires_in"]),
    browser,
  };
}

/** Opens a sign-in like the console; returns the browser and the sign-in page. */
export async function openSignIn(
  baseUrl: string,
  more: Readonly<Record<string, string>> = {},
  browser: Browser = new Browser(),
) {
  const request = authorization(baseUrl, more);
  const page = await browser.follow(await browser.get(request.url), request.redirectUri);
  return { browser, request, page };
}

/** Submits a form at the sign-in page's address plus `path`, returns to the console and redeems the code. */
async function through(
  baseUrl: string,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<SignedIn> {
  const { browser, request, page } = await openSignIn(baseUrl);
  const sent = await browser.submit(`${page.url}${path}`, fields);
  const back = await browser.follow(sent, request.redirectUri);
  if (back.location === undefined) throw new Error(`the form was refused (${back.status}):\n${back.body}`);
  return redeem(baseUrl, browser, back.location, request);
}

export interface TestPerson {
  readonly email: string;
  readonly password: string;
}

/** Creates an account at `baseUrl` (PUBLIC_URL, no trailing slash) over HTTP and signs in with it. */
export const signUp = (baseUrl: string, person: TestPerson & { readonly name?: string }): Promise<SignedIn> =>
  through(baseUrl, "/create-account", { name: "", ...person });

export const signIn = (baseUrl: string, { email, password }: TestPerson): Promise<SignedIn> =>
  through(baseUrl, "", { email, password });
