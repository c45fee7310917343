/**
 * One step of the schema. Frozen once it has run anywhere: it imports nothing from outside this folder, and no statement of
 * the running service comes from here, so that changing either cannot change what a database already has.
 */
export interface Migration {
  /** Sorts after the previous one. */
  readonly id: string;
  readonly statements: readonly string[];
}
