import type { Config } from "../config";
import { DEMO_PASSWORD, demoPeople, type DemoPerson } from "../demo";
import type { Queries } from "../store/database";
import { passwordFits } from "./passwords";
import { TryAgain } from "./try-again";

/** The people of the demo whom anybody may sign in as: their accounts have the demo's password. */
export type DemoAccounts = () => Promise<readonly DemoPerson[]>;

/** Nobody where the network can reach the service, or where it has not been told to be a demo. */
export function createDemoAccounts({ seed, loopback, adminEmail }: Config, queries: Queries): DemoAccounts {
  if (seed !== "demo" || !loopback) return async () => [];
  const people = demoPeople(adminEmail);
  /** By hash, which is another one as soon as the password is changed: whether it is the demo's. */
  const known = new Map<string, boolean>();

  async function isOpen(hash: string | undefined): Promise<boolean> {
    if (hash === undefined) return false;
    const before = known.get(hash);
    if (before !== undefined) return before;
    try {
      const open = await passwordFits(DEMO_PASSWORD, hash);
      known.set(hash, open);
      return open;
    } catch (error) {
      // The list is a convenience: people who sign in need the queue more.
      if (error instanceof TryAgain) return false;
      throw error;
    }
  }

  return async () => {
    const rows = await queries.query<{ email: string; password: string }>(
      "select email, password from accounts where email = any($1::text[])",
      [people.map(({ email }) => email)],
    );
    const hashes = new Map(rows.map(({ email, password }) => [email, password]));
    const open = await Promise.all(people.map(({ email }) => isOpen(hashes.get(email))));
    return people.filter((_, index) => open[index]);
  };
}
