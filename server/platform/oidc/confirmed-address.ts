import type { Config } from "../../config";
import { now } from "../store/clock";
import type { Recorded } from "../store/recorded";
import { ensurePerson } from "../../domains/access/people.table";
import { personUid } from "../store/uids";

/** Records that the owner of an account reads mail at this address, which becomes the account's. */
export async function recordConfirmed(
  queries: Recorded,
  { issuer }: Pick<Config, "issuer">,
  { subject, email }: { readonly subject: string; readonly email: string },
): Promise<void> {
  const [account] = await queries.query<{ name: string }>(
    `update accounts set email = $2, email_verified_at = $3, updated_at = $3 where subject = $1 returning name`,
    [subject, email, now()],
  );
  if (!account) return;
  await ensurePerson(queries, issuer, subject, { email, ...(account.name && { name: account.name }) });
  await queries.query("update identities set email = $2 where uid = $1 and email <> $2", [
    personUid(issuer, subject),
    email,
  ]);
}
