export interface Migration {
  /** Sorts after the previous one; never changes once it has run anywhere. */
  readonly id: string;
  readonly statements: readonly string[];
}
