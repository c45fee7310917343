import type { Config } from "../../config";
import type { Queries } from "../store/database";
import type { SealedTexts } from "../store/keys/sealed-texts";
import { makeLink } from "../store/mail/account-links";
import type { Mail, MailKind } from "../store/mail/outbox";
import { accountAt, inviteFacts, providersAt } from "../store/mail/recipients";
import type { Letter } from "./letter";
import { lettersOf } from "./letters";

/** The letter of a mail, as of now; undefined if there is nothing to say (any more). */
export type Compose = (mail: Mail) => Promise<Letter | undefined>;

/**
 * Looks up what a mail says when it is sent. So a request for a new password costs the same whether there is an account,
 * and the links of a mail that waits are nowhere.
 */
export function createCompose(config: Config, queries: Queries, texts: SealedTexts): Compose {
  const letters = lettersOf(config);
  const of: Readonly<Record<MailKind, Compose>> = {
    async reset({ address }) {
      const subject = await accountAt(queries, address);
      if (subject !== undefined)
        return letters.reset(address, await makeLink(queries, "reset", { subject, email: address }));
      const providers = await providersAt(queries, address);
      return providers.length > 0 ? letters.signInElsewhere(address, providers) : undefined;
    },
    async confirm({ address, facts: { subject = "" } }) {
      const owner = await accountAt(queries, address);
      if (owner !== undefined && owner !== subject) return letters.taken(address);
      return letters.confirm(address, await makeLink(queries, "confirm", { subject, email: address }));
    },
    passwordChanged: async ({ address, created }) => letters.passwordChanged(address, created),
    factorsChanged: async ({ address, created, facts }) => letters.factorsChanged(address, facts, created),
    auditHead: async ({ created, facts: { organization = "", sequence = "", signature = "" } }) =>
      letters.auditHead({ organization, sequence, signature }, created),
    endings: async ({ facts: { endings = "[]", count = "0" } }) =>
      letters.endings(JSON.parse(endings), Number(count)),
    addressChanged: async ({ address, created, facts: { after = "" } }) =>
      letters.addressChanged(address, after, created),
    async invite({ address, invite, facts: { code = "" } }) {
      const facts = await inviteFacts(queries, invite ?? "", address);
      if (!facts) return undefined;
      const plain = await texts.unseal(invite ?? "", code);
      if (plain === undefined) throw new LostCode();
      return letters.invite(facts, plain);
    },
  };
  return (mail) => of[mail.kind](mail);
}

/** The code of an invite was sealed with a key that this process does not have: no later attempt succeeds. */
export class LostCode extends Error {
  constructor() {
    super("the code of an invite was encrypted with another SECRET_KEY");
  }
}
