import { now } from "../store/clock";
import type { Queries } from "../store/database";

/** A role of an identity, the groups at which it is bound, and the identity's home group. */
export interface HeldBinding {
  readonly role: string;
  readonly changed: Date;
  readonly home: string | null;
  /** Organizations that the person has not accepted: uids, space-separated. */
  readonly offers: string | null;
  /** Uids, space-separated; of a binding that ends, with `@` and when, in milliseconds. */
  readonly groups: string;
}

/** What is stored of a person: facts, and whether their directory has deactivated the account. */
export interface KnownPerson {
  readonly name: string | null;
  readonly email_unverified: string | null;
  readonly deactivated: boolean;
}

export const heldRoles = (queries: Queries, identities: readonly string[]): Promise<HeldBinding[]> =>
  queries.query("select * from held_roles($1::text[], $2)", [identities, now()]);

/** `heldRoles`, and in the same statement what is known of one person. */
export async function personAndRoles(
  queries: Queries,
  identities: readonly string[],
  { uid, subject }: { readonly uid: string; readonly subject: string },
): Promise<{ readonly known: KnownPerson; readonly held: readonly HeldBinding[] }> {
  const found = await queries.query<KnownPerson & (HeldBinding | { readonly role: null })>(
    "select * from person_and_roles($1::text[], $2, $3, $4)",
    [identities, now(), uid, subject],
  );
  const held = found.filter((one): one is KnownPerson & HeldBinding => one.role !== null);
  // One row at least: that of the person.
  return { known: found[0] ?? { name: null, email_unverified: null, deactivated: false }, held };
}
