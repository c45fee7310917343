import type { IncomingMessage } from "node:http";

import { tellSignIn } from "../../../sign-ins";
import { take } from "../../store/mail/allowances";
import type { Recorded } from "../../store/recorded";
import { attempt } from "../attempt";
import type { PageContext } from "../page-context";
import { addressOf, clientIn } from "../requests";
import { arrivalIn, logAct, recordAct, type Act } from "../sign-in-log";
import { inSteps } from "../steps";
import type { Attempted } from "../throttle";
import { TryAgain } from "../try-again";
import { checkCode, digitsOf, isCode, UnreadableSecret } from "./apps";
import { tellOwner } from "./notices";
import { checkPasskey, type Signed } from "./passkeys";
import { recoveryCodesLeft, useRecoveryCode } from "./recovery-codes";

/** The outcome of a factor that somebody showed: what was proven, or a sentence that says why it was not. */
export type Verification<T> = { readonly proven: T } | { readonly sentence: string };

interface FactorCheck {
  readonly request: IncomingMessage;
  readonly subject: string;
  /** What a refusal is in the log. */
  readonly act: Act;
}

/** Seconds in which only one refusal of the throttle is an entry: nobody can fill a log by guessing on. */
const ENTRY_S = 60;

/** Logs a refusal of the throttle. */
async function logThrottled(
  context: PageContext,
  { request, subject, act }: Omit<FactorCheck, "subject"> & { subject: string | undefined },
): Promise<void> {
  const key = `factor-entry:${subject ?? addressOf(context.config, request)}`;
  const seconds = await take(context.database, { key, most: 1, everyS: ENTRY_S }, context.now());
  if (seconds > 0) return tellSignIn({ act, refused: true });
  await logAct(context, arrivalIn(context.config, request), { act, subject, reason: "TOO_MANY_ATTEMPTS" });
}

/** Runs `work` under the throttle. Logs and throws TryAgain. */
async function tried<T>(
  context: PageContext,
  check: Parameters<typeof logThrottled>[1],
  who: Attempted,
  work: () => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await attempt(context.throttle, who, work);
  } catch (error) {
    if (error instanceof TryAgain && error.status === 429) await logThrottled(context, check);
    throw error;
  }
}

/**
 * Tries a code under the throttle of second factors, which no right password resets. Throws TryAgain.
 */
async function tryCode(
  context: PageContext,
  check: FactorCheck,
  work: () => Promise<boolean>,
): Promise<boolean> {
  const { request, subject, act } = check;
  const who = { factor: subject, address: addressOf(context.config, request) };
  const right = await tried(context, check, who, async () => (await work()) || undefined);
  if (!right)
    await logAct(context, arrivalIn(context.config, request), { act, subject, reason: "WRONG_CODE" });
  return right === true;
}

/** A code of an authenticator app. */
export async function verifyAppCode(
  context: PageContext,
  check: FactorCheck,
  typed: string,
): Promise<Verification<true>> {
  const code = digitsOf(typed);
  if (!isCode(code)) return { sentence: "Enter the six digits that the app shows." };
  try {
    const { database, texts } = context;
    const right = await tryCode(context, check, () =>
      checkCode(database, texts, { subject: check.subject, code, now: context.now() }),
    );
    return right
      ? { proven: true }
      : { sentence: "Incorrect code. Each code works once; wait for the next one." };
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error;
    context.log.error(
      "secrets of authenticator apps cannot be read: SECRET_KEY or DATA_DIR/secret.key is another one",
    );
    return {
      sentence:
        "Codes of your app can't be checked: this installation lost the key. Use another way, or ask the people who run it.",
    };
  }
}

/** Ends a transaction in which the code was wrong. */
class WrongCode extends Error {}

/** A recovery code; its use is the entry of the sign-in. */
export async function verifyRecoveryCode(
  context: PageContext,
  check: FactorCheck,
  typed: string,
): Promise<Verification<true>> {
  if (typed.trim() === "") return { sentence: "Enter one of your recovery codes." };
  const { mail, config } = context;
  const { subject, request, act } = check;
  const arrival = arrivalIn(config, request);
  const use = async (queries: Recorded) => {
    if (!(await useRecoveryCode(queries, subject, typed, context.now()))) throw new WrongCode();
    const left = await recoveryCodesLeft(queries, subject);
    const from = clientIn(config, request).address;
    await tellOwner(queries, { mail, from }, subject, { change: "codeUsed", left });
    return true;
  };
  const right = await tryCode(context, check, () =>
    recordAct(context, arrival, { act, subject }, use).catch((error: unknown) => {
      if (error instanceof WrongCode) return false;
      throw error;
    }),
  );
  mail?.wake();
  return right ? { proven: true } : { sentence: "Incorrect recovery code, or it was used before." };
}

/**
 * A signature of a passkey: of `subject`, or of anybody. It cannot be guessed, so only the address is slowed down.
 * Throws TryAgain.
 */
export async function verifyPasskey(
  context: PageContext,
  { request, act, subject, ceremony }: Omit<FactorCheck, "subject"> & { subject?: string; ceremony: string },
  sent: string,
): Promise<Verification<Signed>> {
  let refused: { refused: string; subject?: string } | undefined;
  const who = { address: addressOf(context.config, request) };
  const signed = await tried(context, { request, act, subject }, who, async () => {
    const found = await checkPasskey(context, ceremony, sent, subject);
    if (!("refused" in found)) return found;
    refused = found;
    return undefined;
  });
  if (signed) return { proven: signed };
  // The library's sentence, which has values of the request, is for the operator.
  context.log.warn({ reason: refused?.refused }, "a passkey was refused");
  // As long for a passkey that nobody has.
  await inSteps(() =>
    logAct(context, arrivalIn(context.config, request), {
      act,
      subject: subject ?? refused?.subject,
      reason: "PASSKEY_REFUSED",
    }),
  );
  return { sentence: "This passkey didn't work here. Try again, or choose another way." };
}
