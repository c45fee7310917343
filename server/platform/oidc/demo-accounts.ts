import type { Config } from "../../config";
import { DEMO_PASSWORD, demoPeople, type DemoPerson } from "../../demo";
import type { Queries } from "../store/database";
import { passwordFits } from "./passwords";
import { TryAgain } from "./try-again";

/** Returns the demo people that anyone can sign in as: their accounts still have the demo password. */
export type DemoAccounts = () => Promise<readonly DemoPerson[]>;

/** Empty if the network can reach the service, or if it is not a demo. */
export function createDemoAccounts({ seed, loopback, adminEmail }: Config, queries: Queries): DemoAccounts {
  if (seed !== "demo" || !loopback) return async () => [];
  const people = demoPeople(adminEmail);
  /** Whether a hash is that of the demo password; the hash changes with the password. */
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
      // The list is only a convenience: leave the queue to users who are signing in.
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
