import type { NoticeTopic } from "platform-contract/iam/notices";

import type { Config } from "../../config";
import type { InviteFacts } from "../store/mail/recipients";
import type { Mail, FactorChange } from "../store/mail/outbox";
import { harmless, type Letter } from "./letter";

/** What a mail says happened to the second factors of an account, at a time such as "26 November 2026, 08:10 UTC". */
function factorChangeText(address: string, facts: Mail["facts"], time: string): string {
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

/** "26 November 2026, 08:10 UTC" */
const timeOf = (time: Date): string =>
  `${new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }).format(time)} UTC`;

/** What a mail says of one thing that ends. */
export interface EndingFacts {
  readonly topic: NoticeTopic;
  readonly name: string;
  /** Of a role: who has it. */
  readonly identity: string | null;
  readonly group: string;
  /** ISO time. */
  readonly at: string;
}

function endingText({ topic, name, identity, group, at }: EndingFacts): string {
  const [named, where] = [`"${harmless(name)}"`, `in "${harmless(group)}"`];
  const what: Readonly<Record<NoticeTopic, string>> = {
    NOTICE_TOPIC_KEYS: `The keys of ${named} ${where} end`,
    NOTICE_TOPIC_ROLE_BINDINGS: `The role ${named} of "${harmless(identity ?? "")}" ${where} ends`,
    NOTICE_TOPIC_INVITES: `The invite ${name === "" ? "" : `for ${named} `}${where} ends`,
    NOTICE_TOPIC_SYNCS: `The sync of the repo ${named} ${where} ends`,
    NOTICE_TOPIC_REVIEWS: `The access review ${named} ${where} waits for your decisions: it is due`,
    NOTICE_TOPIC_SCIM_TOKENS: `The SCIM token of the identity provider ${named} ${where} ends`,
  };
  return `${what[topic]} on ${timeOf(new Date(at))}.`;
}

/** The mails of an installation; names that people chose go through `harmless`. */
export function lettersOf(config: Config) {
  const { title, publicUrl, supportUrl } = config;
  const console = config.consoleUrls[0] ?? `${publicUrl}/`;
  const help =
    supportUrl === undefined
      ? "Tell the people who run this service at once."
      : `Tell support at once: ${supportUrl.replace(/^mailto:/, "")}`;
  const letter = (subject: string, ...body: Letter["body"]): Letter => ({
    subject: `${subject} - ${title}`,
    body: [...body, `${title}, ${publicUrl}/`],
  });
  return {
    reset: (address: string, token: string): Letter =>
      letter(
        "Reset your password",
        `Somebody asked for a new password for the account ${address}.`,
        {
          label: "Choose a new password",
          link: `${config.issuer}/account/reset-password?token=${token}`,
        },
        "The link works once, for 30 minutes.",
        "If it wasn't you, ignore this mail. Your password stays as it is.",
      ),
    /** To an address without a password here. */
    signInElsewhere: (
      address: string,
      providers: readonly { readonly uid: string; readonly name: string }[],
    ): Letter =>
      letter(
        "How you sign in",
        `Somebody asked for a new password for ${address}. There is none: you sign in with your organization's account.`,
        ...providers.map(({ uid, name }) => ({
          label: `Continue with "${harmless(name)}"`,
          link: `${console}?provider=${encodeURIComponent(uid)}`,
        })),
        "If it wasn't you, ignore this mail.",
      ),
    confirm: (address: string, token: string): Letter =>
      letter(
        "Confirm your address",
        `Confirm that ${address} is the address of your account.`,
        { label: "Confirm the address", link: `${config.issuer}/account/confirm-email?token=${token}` },
        "The link works once, for 24 hours, in a browser in which you're signed in.",
        "If you have no account there, somebody entered your address. Ignore this mail: nothing is confirmed without it.",
      ),
    /** To an address that somebody wants for their account, but that another one has. */
    taken: (address: string): Letter =>
      letter(
        "You have an account already",
        `Somebody wanted ${address} to be the address of another account. It has an account already, which stays as it is.`,
        { label: "Sign in", link: console },
        "If it wasn't you, ignore this mail.",
      ),
    passwordChanged: (address: string, at: Date): Letter =>
      letter(
        "Your password was changed",
        `The password of the account ${address} was changed on ${timeOf(at)}. It is signed out everywhere else.`,
        `If it wasn't you, open the sign-in page and choose "Forgot your password?". ${help}`,
        { label: "Sign in", link: console },
      ),
    factorsChanged: (address: string, facts: Mail["facts"], at: Date): Letter =>
      letter(
        "Your second factors were changed",
        factorChangeText(address, facts, timeOf(at)),
        `If it wasn't you, open the sign-in page and choose "Forgot your password?". ${help}`,
        { label: "See your second factors", link: `${config.issuer}/account/security` },
      ),
    /** To the owners of an organization: without names, so that it can be kept anywhere. */
    auditHead: (head: { organization: string; sequence: string; signature: string }, at: Date): Letter =>
      letter(
        "The end of your audit log",
        `Keep this mail. On ${timeOf(at)} the audit log of the organization ${head.organization} had ${head.sequence} as its last entry, signed as follows.`,
        head.signature,
        "With it, platform-console audit verify --against finds out whether somebody has removed or replaced entries since.",
      ),
    endings: (some: readonly EndingFacts[], count: number): Letter =>
      letter(
        some.every(({ topic }) => topic === "NOTICE_TOPIC_REVIEWS")
          ? count === 1
            ? "An access review waits for you"
            : `${count} access reviews wait for you`
          : count === 1
            ? "Something of yours ends soon"
            : `${count} things of yours end soon`,
        "They are yours, or in folders that you own:",
        ...some.map(endingText),
        ...(count > some.length ? [`And ${count - some.length} more.`] : []),
        { label: "See what ends", link: `${console}endings` },
        { label: "Choose what you get mail about", link: `${console}preferences` },
      ),
    addressChanged: (before: string, after: string, at: Date): Letter =>
      letter(
        "The address of your account was changed",
        `Your account had the address ${before}. On ${timeOf(at)} it was changed to ${after}. Mail about the account now goes there.`,
        `If it wasn't you: ${help.charAt(0).toLowerCase()}${help.slice(1)}`,
      ),
    invite: (facts: InviteFacts, code: string): Letter =>
      letter(
        `Invite to "${harmless(facts.group)}"`,
        `${facts.inviter === null ? "Somebody" : `"${harmless(facts.inviter)}"`} invites you to the group "${harmless(facts.group)}"${
          facts.role === null ? "" : `, with the role "${harmless(facts.role)}"`
        }.`,
        { label: "See the invite", link: `${console}invite#${code}` },
        `The link works until ${timeOf(facts.expires)}. Don't pass it on: whoever has it can join in your place.`,
        "If you don't know who this is, ignore this mail.",
      ),
  };
}
