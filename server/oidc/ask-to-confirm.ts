import { allowance, TooManyMails, type Post } from "../mail/post";
import type { Database } from "../store/database";
import { LINK_S } from "../store/mail/account-links";

/** Mails the link by which a new account confirms its address; not if that address got too many mails already. */
export async function askToConfirm(
  { mail, database }: { readonly mail: Post | undefined; readonly database: Database },
  subject: string,
  address: string,
): Promise<void> {
  if (!mail) return;
  try {
    await database.transaction((queries) =>
      mail.store(queries, { kind: "confirm", address, facts: { subject }, usefulS: LINK_S.confirm }, [
        allowance("recipient", address),
      ]),
    );
    mail.wake();
  } catch (error) {
    // They can ask again on their account page.
    if (!(error instanceof TooManyMails)) throw error;
  }
}
