import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from "node:crypto";
import { Secret, TOTP } from "otpauth";

import {
  openSignIn,
  redeem,
  unescaped,
  type PageAnswer,
  type Browser,
  type TestPerson,
  type SignedIn,
} from "../testing";

/** The code of an app that has this secret. */
export const codeOf = (secret: string, at: Date): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at.getTime() });

/** The secret that a page shows. */
export const secretIn = (page: string): string => /data-copy="([A-Z2-7]{32})"/.exec(page)?.[1] ?? "";

/** The recovery codes that a page shows. */
export const codesIn = (page: string): string[] =>
  [...page.matchAll(/<code>((?:[0-9A-Z]{4}-){3}[0-9A-Z]{4})<\/code>/g)].map(([, code = ""]) => code);

interface Asked {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly user?: { readonly id: string };
  readonly userVerification?: string;
  readonly allowCredentials?: readonly { readonly id: string }[];
}

/** What a page asks passkeys for. */
export function askedIn(page: string): Asked {
  const [, options = ""] = /data-ask="([^"]+)"/.exec(page) ?? [];
  return JSON.parse(unescaped(options)) as Asked;
}

/** CBOR (RFC 8949) of what a passkey sends. */
function cbor(value: unknown): Buffer {
  const head = (major: number, n: number): Buffer =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Buffer) return Buffer.concat([head(2, value.length), value]);
  const entries = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([head(5, entries.length), ...entries.flatMap((entry) => entry.map(cbor))]);
}

const sha256 = (data: Buffer | string): Buffer => createHash("sha256").update(data).digest();

interface Differently {
  readonly origin?: string;
  readonly host?: string;
  readonly challenge?: string;
  readonly counter?: number;
  /** Without a fingerprint, face or PIN. */
  readonly unverified?: true;
  readonly userHandle?: string;
}

/** A passkey in software: it signs what a page asks for, or something else than that. */
export class Passkey {
  readonly id = randomBytes(16);
  private readonly key: KeyObject;
  private readonly jwk: { x?: string; y?: string };
  private userHandle = "";
  counter = 0;

  constructor(private readonly origin: string) {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.key = privateKey;
    this.jwk = publicKey.export({ format: "jwk" });
  }

  private data(host: string, { counter, unverified }: Differently, attested?: Buffer): Buffer {
    // User present, verified, backup eligible and done, attested credential data.
    const flags = 0x01 | (unverified ? 0 : 0x04) | 0x08 | 0x10 | (attested ? 0x40 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? this.counter);
    return Buffer.concat([sha256(host), Buffer.from([flags]), count, ...(attested ? [attested] : [])]);
  }

  private client(type: string, asked: Asked, { origin, challenge }: Differently): Buffer {
    return Buffer.from(
      JSON.stringify({ type, challenge: challenge ?? asked.challenge, origin: origin ?? this.origin }),
    );
  }

  private sent(response: Readonly<Record<string, unknown>>): string {
    const id = this.id.toString("base64url");
    return JSON.stringify({ id, rawId: id, type: "public-key", clientExtensionResults: {}, response });
  }

  /** Answers a page that asks for a new passkey. */
  create(asked: Asked, differently: Differently = {}): string {
    this.userHandle = asked.user?.id ?? "";
    const part = (text = "") => Buffer.from(text, "base64url");
    const publicKey = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, part(this.jwk.x)],
        [-3, part(this.jwk.y)],
      ]),
    );
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, publicKey]);
    const authData = this.data(differently.host ?? asked.rp?.id ?? "", differently, attested);
    const attestationObject = cbor(
      new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData],
      ]),
    );
    return this.sent({
      clientDataJSON: this.client("webauthn.create", asked, differently).toString("base64url"),
      attestationObject: attestationObject.toString("base64url"),
      transports: ["internal"],
    });
  }

  /** Answers a page that asks for a signature. */
  sign(asked: Asked, differently: Differently = {}): string {
    const client = this.client("webauthn.get", asked, differently);
    const data = this.data(differently.host ?? asked.rpId ?? "", differently);
    const signature = createSign("sha256")
      .update(Buffer.concat([data, sha256(client)]))
      .sign(this.key);
    return this.sent({
      clientDataJSON: client.toString("base64url"),
      authenticatorData: data.toString("base64url"),
      signature: signature.toString("base64url"),
      userHandle: differently.userHandle ?? this.userHandle,
    });
  }
}

/** Shows the password again, and follows to the page that asked for it. */
export async function confirmed(browser: Browser, url: string, password: string): Promise<PageAnswer> {
  const asked = await browser.follow(await browser.get(url), "");
  if (asked.url === url) return asked;
  return browser.follow(await browser.submit(asked.url, { password }), "");
}

const security = (base: string): string => `${base}/oidc/account/security`;

/** Adds an app on the page of the account; returns its secret, and the recovery codes of a first factor. */
export async function addApp(
  base: string,
  browser: Browser,
  { password, at, name = "Phone" }: { readonly password: string; readonly at: Date; readonly name?: string },
): Promise<{ secret: string; codes: string[] }> {
  const page = await confirmed(browser, `${security(base)}/add-app`, password);
  const secret = secretIn(page.body);
  const done = await browser.submit(page.url, { name, code: codeOf(secret, at) });
  if (done.status !== 303 && codesIn(done.body).length === 0) throw new Error(done.body);
  return { secret, codes: codesIn(done.body) };
}

/** Adds a passkey on the page of the account; returns the recovery codes of a first factor. */
export async function addPasskey(
  base: string,
  browser: Browser,
  {
    password,
    passkey,
    name = "Laptop",
  }: { readonly password: string; readonly passkey: Passkey; readonly name?: string },
): Promise<{ codes: string[] }> {
  const page = await confirmed(browser, `${security(base)}/add-passkey`, password);
  const done = await browser.submit(page.url, { name, credential: passkey.create(askedIn(page.body)) });
  if (done.status !== 303 && codesIn(done.body).length === 0) throw new Error(done.body);
  return { codes: codesIn(done.body) };
}

/** Opens a sign-in and passes the password; `answer` is the page after it. */
export async function passPassword(base: string, person: TestPerson, browser?: Browser) {
  const opened = await openSignIn(base, { prompt: "login" }, browser);
  const { email, password } = person;
  const sent = await opened.browser.submit(opened.page.url, { email, password });
  const answer = await opened.browser.follow(sent, opened.request.redirectUri);
  /** Follows an answer back to the console, and redeems the code. */
  const enter = async (last: PageAnswer): Promise<SignedIn> => {
    const back = await opened.browser.follow(last, opened.request.redirectUri);
    return redeem(base, opened.browser, back.location, opened.request);
  };
  return { ...opened, answer, enter };
}
