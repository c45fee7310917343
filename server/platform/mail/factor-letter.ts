import type { FactorChange, Mail } from "../store/mail/outbox";
import { harmless } from "./letter";

/** What a mail says happened to the second factors of an account, at a time such as "26 November 2026, 08:10 UTC". */
export function factorChangeText(address: string, facts: Mail["facts"], time: string): string {
  const { change, name = "", left = "", from } = facts;
  const named = `"${harmless(name)}"`;
  const when = `on ${time}${from === undefined ? "" : `, from the address ${from}`}`;
  const none = left === "0" ? " That was the last one: the password alone signs in now." : "";
  const texts: Readonly<Record<FactorChange, string>> = {
    appAdded: `The authenticator app ${named} was added to the account ${address} ${when}.`,
    passkeyAdded: `The passkey ${named} was added to the account ${address} ${when}.`,
    removed: `The second factor ${named} of the account ${address} was removed ${when}.${none}`,
    codesMade: `New recovery codes were made for the account ${address} ${when}. The earlier ones don't work any more.`,
    codeUsed: `A recovery code of the account ${address} was used to sign in ${when}. Unused codes left: ${left}.`,
    reset: `An administrator removed all second factors and recovery codes of the account ${address} ${when}. It is signed out everywhere.`,
  };
  return texts[change as FactorChange];
}
