import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import * as z from "zod";

import type { Queries } from "../../store/database";
import type { Account } from "../accounts";
import type { PageContext } from "../page-context";
import { inMinutes, saveState, takeState } from "./interaction-state";

/** Minutes to use a challenge; browsers ask for less. */
const CHALLENGE_MINUTES = 10;

type Place = Pick<PageContext, "database" | "site" | "now">;

/** What a challenge is for: a sign-in or session, and what is done in it. A challenge for one is none for another. */
export const ceremonyOf = (uid: string, what: "sign-in" | "second" | "confirm" | "add"): string =>
  `${uid}:${what}`;

interface Stored {
  readonly uid: string;
  readonly subject: string;
  readonly host: string;
  readonly credential_id: string;
  readonly public_key: string;
  readonly counter: number;
  readonly transports: string[];
}

const STORED = "select uid, subject, host, credential_id, public_key, counter, transports from passkeys";
const passkeysOf = (queries: Queries, subject: string, host: string): Promise<Stored[]> =>
  queries.query<Stored & Record<string, unknown>>(`${STORED} where subject = $1 and host = $2 order by uid`, [
    subject,
    host,
  ]);

const named = ({ credential_id: id, transports }: Stored) => ({ id, transports });

/** Keeps the challenge for one use. `ceremony` names the sign-in or session, and what the passkey is for. */
const keepChallenge = (
  { database, now }: Place,
  ceremony: string,
  challenge: string,
  subject: string | undefined,
): Promise<void> =>
  saveState(database, {
    kind: "PasskeyChallenge",
    id: ceremony,
    value: challenge,
    subject,
    until: inMinutes(now(), CHALLENGE_MINUTES),
  });

/**
 * Options for the browser to sign a new challenge. With a subject, one of that account's passkeys; without, any passkey of
 * this host that is able to say whose it is, and only after it has verified the person.
 */
export async function askForPasskey(
  place: Place,
  ceremony: string,
  subject?: string,
): Promise<PublicKeyCredentialRequestOptionsJSON | undefined> {
  const here = place.site.passkeys;
  if (!here) return undefined;
  const known = subject === undefined ? [] : await passkeysOf(place.database, subject, here.host);
  if (subject !== undefined && known.length === 0) return undefined;
  const options = await generateAuthenticationOptions({
    rpID: here.host,
    allowCredentials: known.map(named),
    userVerification: subject === undefined ? "required" : "preferred",
  });
  await keepChallenge(place, ceremony, options.challenge, subject);
  return options;
}

/** Options for the browser to create a passkey for an account; undefined where passkeys cannot work. */
export async function askForNewPasskey(
  place: Place,
  ceremony: string,
  { subject, email, name }: Pick<Account, "subject" | "email" | "name">,
): Promise<PublicKeyCredentialCreationOptionsJSON | undefined> {
  const here = place.site.passkeys;
  if (!here) return undefined;
  const known = await passkeysOf(place.database, subject, here.host);
  const options = await generateRegistrationOptions({
    rpName: place.site.title,
    rpID: here.host,
    userName: email,
    userDisplayName: name || email,
    userID: new TextEncoder().encode(subject),
    attestationType: "none",
    excludeCredentials: known.map(named),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });
  await keepChallenge(place, ceremony, options.challenge, subject);
  return options;
}

const text = z.string().max(8_000);
const signature = z.object({
  id: text,
  rawId: text,
  type: z.literal("public-key"),
  clientExtensionResults: z.object({}),
  response: z.object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: z.exactOptional(text),
  }),
});
const creation = z.object({
  id: text,
  rawId: text,
  type: z.literal("public-key"),
  clientExtensionResults: z.object({}),
  response: z.object({
    clientDataJSON: text,
    attestationObject: text,
    transports: z.exactOptional(z.array(z.string().max(40)).max(10)),
  }),
});

function parsed<T>(schema: z.ZodType<T>, sent: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(sent)).data;
  } catch {
    return undefined;
  }
}

export type Refused = { readonly refused: string; readonly subject?: string };

/** A passkey that signed the challenge. */
export interface Signed {
  readonly subject: string;
  /** It exists on several devices of the person, instead of one. */
  readonly synced: boolean;
}

const isRefused = (cause: unknown): Refused => ({ refused: cause instanceof Error ? cause.message : "?" });

/**
 * Verifies what the browser sent for askForPasskey() with the same arguments. Whatever it is, the challenge is used up.
 */
export async function checkPasskey(
  place: Place,
  ceremony: string,
  sent: string,
  subject?: string,
): Promise<Signed | Refused> {
  const { database, site, now } = place;
  const challenge = await takeState<string>(database, "PasskeyChallenge", ceremony, now());
  if (!site.passkeys || challenge === undefined) return { refused: "the challenge was used or is too old" };
  const { host, origin } = site.passkeys;
  const response = parsed(signature, sent);
  if (!response) return { refused: "not a signature of a passkey" };
  const [stored] = await database.query<Stored & Record<string, unknown>>(
    `${STORED} where credential_id = $1 and host = $2`,
    [response.id, host],
  );
  if (!stored || (subject !== undefined && stored.subject !== subject))
    return { refused: "no passkey of this account" };
  const { userHandle } = response.response;
  if (userHandle !== undefined && Buffer.from(userHandle, "base64url").toString() !== stored.subject)
    return { refused: "the passkey names another account", subject: stored.subject };
  try {
    const { verified, authenticationInfo: found } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: subject === undefined,
      credential: {
        id: stored.credential_id,
        publicKey: Buffer.from(stored.public_key, "base64url"),
        counter: Number(stored.counter),
      },
    });
    if (!verified) return { refused: "the signature is wrong", subject: stored.subject };
    const synced = found.credentialDeviceType === "multiDevice";
    // At the same time, two copies of a passkey can send the same counter: one of them is a clone.
    const counted = await database.query(
      `update passkeys set counter = $2, used_at = $3, synced = $4
       where uid = $1 and ((counter = 0 and $2 = 0) or counter < $2) returning 1`,
      [stored.uid, found.newCounter, now(), synced],
    );
    if (counted.length === 0) return { refused: "the counter went back", subject: stored.subject };
    return { subject: stored.subject, synced };
  } catch (error) {
    return { ...isRefused(error), subject: stored.subject };
  }
}

export interface NewPasskey {
  readonly host: string;
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly synced: boolean;
}

/** Verifies what the browser sent for askForNewPasskey(). Whatever it is, the challenge is used up. */
export async function verifyNewPasskey(
  { database, site, now }: Place,
  ceremony: string,
  sent: string,
): Promise<NewPasskey | Refused> {
  const challenge = await takeState<string>(database, "PasskeyChallenge", ceremony, now());
  if (!site.passkeys || challenge === undefined) return { refused: "the challenge was used or is too old" };
  const { host, origin } = site.passkeys;
  const response = parsed(creation, sent);
  if (!response) return { refused: "not a new passkey" };
  try {
    const { registrationInfo: made } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: false,
    });
    if (!made) return { refused: "the attestation is wrong" };
    const { id, publicKey, counter } = made.credential;
    return {
      host,
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString("base64url"),
      counter,
      transports: response.response.transports ?? [],
      synced: made.credentialDeviceType === "multiDevice",
    };
  } catch (error) {
    return isRefused(error);
  }
}
