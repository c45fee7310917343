import type { Queries } from "./database";

declare const recorded: unique symbol;

/**
 * A transaction that ends with an entry in the audit log. Only recordAct() gives it out, and what changes accounts and
 * their factors takes it, so that neither commits without the other.
 */
export interface Recorded extends Queries {
  readonly [recorded]: true;
}
