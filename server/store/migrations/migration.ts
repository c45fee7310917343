export interface Migration {
  /** Sorts after the one before; never changed once it has run anywhere. */
  readonly id: string;
  readonly statements: readonly string[];
}
