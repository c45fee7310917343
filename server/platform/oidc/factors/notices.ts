import type { Post } from "../../mail/post";
import type { Queries } from "../../store/database";
import type { FactorChange } from "../../store/mail/outbox";

/** How and from where a change of factors came. */
export interface Notifying {
  /** Undefined if the service sends no mail. */
  readonly mail: Post | undefined;
  /** The address of the request; undefined for a command of an operator. */
  readonly from: string | undefined;
}

/**
 * Tells the owner of an account by mail, in the transaction of the change. A pending account is not told: its address can
 * be another person's.
 */
export async function tellOwner(
  queries: Queries,
  { mail, from }: Notifying,
  subject: string,
  { change, ...facts }: { readonly change: FactorChange; readonly name?: string; readonly left?: number },
): Promise<void> {
  if (!mail) return;
  const [account] = await queries.query<{ email: string }>("select email from accounts where subject = $1", [
    subject,
  ]);
  if (!account) return;
  const { name, left } = facts;
  await mail.tell(queries, {
    kind: "factorsChanged",
    address: account.email,
    facts: {
      change,
      ...(name !== undefined && { name }),
      ...(left !== undefined && { left: String(left) }),
      ...(from !== undefined && { from }),
    },
  });
}
