import { decodeJwt } from "jose";

import { sha256 } from "~/frame/export/sha256";
import { checkKey, checkThat } from "~/frame/signatures/check-key";
import type { Check } from "~/ui/display/check-table";

/** What a subscription's requests must carry. */
export interface Expected {
  readonly issuer: string;
  /** `webhook:` and the uid of the subscription's group. */
  readonly subject: string;
}

/** A request of a subscription, as it was pasted. */
export interface Pasted {
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const AUDIENCE = "customer";

/**
 * Reads headers as tools print them: one on each line, also with the arrow of `curl -v`, or as a JSON object. A body below an
 * empty line counts if there is no other.
 */
export function readRequest(text: string, body: string): Pasted {
  const trimmed = text.trim();
  const [head = "", ...below] = trimmed.split(/\r?\n\s*\r?\n/);
  const json = trimmed.startsWith("{") ? objectOf(trimmed) : undefined;
  const entries = json
    ? Object.entries(json)
    : head.split(/\r?\n/).flatMap((line): [string, string][] => {
        const end = line.search(/[:=]/);
        const [, name] = /^[\s<>]*"?([A-Za-z][\w-]*)"?\s*$/.exec(line.slice(0, Math.max(0, end))) ?? [];
        return name === undefined ? [] : [[name, line.slice(end + 1)]];
      });
  return {
    headers: new Map(
      entries.map(([name, value]) => [
        name.toLowerCase(),
        String(value)
          .trim()
          .replace(/^"|"?,?$/g, ""),
      ]),
    ),
    body: body.trim() === "" && !json ? below.join("\n\n") : body,
  };
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The token of the request; undefined if it has none. */
export const tokenOf = ({ headers }: Pasted): string | undefined =>
  /^bearer\s+(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];

/** As in the claim `webhook.digest`. */
const digestOf = async (body: string): Promise<string> => `sha256:${await sha256(body)}`;

/**
 * Checks a request as a receiver must. `keys` are the platform's; undefined if they could not be read. `now` is in ms.
 */
export async function checkRequest(
  pasted: Pasted,
  { issuer, subject }: Expected,
  keys: readonly object[] | undefined,
  now: number,
): Promise<Check[]> {
  const token = tokenOf(pasted);
  if (token === undefined)
    return [
      {
        label: "Token",
        verdict: "wrong",
        text: "There is no header “Authorization: Bearer …” with a token. A receiver must refuse a request without one.",
      },
    ];
  let claims: ReturnType<typeof decodeJwt>;
  try {
    claims = decodeJwt(token);
  } catch {
    return [{ label: "Token", verdict: "wrong", text: "The token isn't a JWT. It may be cut off." }];
  }
  const { iss, sub = "", aud, exp } = claims;
  return [
    await checkKey(token, keys),
    checkThat(
      "Issuer (iss)",
      iss === issuer,
      "It is this platform.",
      `It is ${iss ?? "missing"} instead of ${issuer}.`,
    ),
    checkThat(
      "Audience (aud)",
      [aud].flat().includes(AUDIENCE),
      `It is ${AUDIENCE}.`,
      `It isn't ${AUDIENCE}.`,
    ),
    checkThat(
      "Subject (sub)",
      sub === subject,
      "It is the group of this subscription.",
      `It is ${sub || "missing"} instead of ${subject}: the request belongs to another subscription.`,
    ),
    expiry(exp, now),
    await bodyCheck(claims["webhook"], pasted.body),
  ];
}

function expiry(exp: number | undefined, now: number): Check {
  const label = "Expiry (exp)";
  if (exp === undefined) return { label, verdict: "wrong", text: "The token has none." };
  const until = new Date(exp * 1000);
  if (Number.isNaN(until.getTime())) return { label, verdict: "wrong", text: "It isn't a time." };
  const utc = `${until.toISOString().slice(0, 19).replace("T", " ")} UTC`;
  return exp * 1000 > now
    ? { label, verdict: "right", text: `The token is valid until ${utc}.` }
    : {
        label,
        verdict: "late",
        text: `The token was valid until ${utc}. A receiver that gets it now must refuse it: each attempt has a new one.`,
      };
}

async function bodyCheck(webhook: unknown, body: string): Promise<Check> {
  const label = "Body (webhook.digest)";
  const { digest }: { digest?: unknown } = Object(webhook);
  if (typeof digest !== "string")
    return { label, verdict: "wrong", text: "The token has no digest of a body." };
  if (body === "") return { label, verdict: "unknown", text: "Paste the body to check it." };
  // A line break at the end comes from pasting.
  const found = await Promise.all([body, body.trim()].map(digestOf));
  return found.includes(digest)
    ? { label, verdict: "right", text: "It is the body that was signed." }
    : {
        label,
        verdict: "wrong",
        text: "It isn't the body that was signed. A receiver must hash the bytes as they arrived: JSON that was parsed and written again differs.",
      };
}
