export type Row = Record<string, unknown>;

/** Parameters are $1, $2, ...; a JavaScript array binds as an SQL array, a Date as timestamptz; JSON goes in as text. */
export interface Queries {
  query<R = Row>(sql: string, parameters?: readonly unknown[]): Promise<R[]>;
}

/** Who changes something and by what, for the events that tell of it. */
export interface Origin {
  readonly issuer: string;
  readonly subject: string;
  /** uid of the identity. */
  readonly identity: string;
  /** The id of the operation; undefined where it is none, such as a sign-in. */
  readonly operation?: string | undefined;
}

/**
 * The one interface over both databases. Values come back alike from either: timestamptz as Date, int8 as number
 * (a bigint where that would not be exact), jsonb as parsed JSON.
 */
export interface Database extends Queries {
  readonly kind: "embedded" | "postgres";
  /**
   * All or nothing; a serialization failure (40001, 40P01) is tried once more. Inside `work` only its own `queries` may
   * be used: the embedded database has one connection, and would wait for itself. `origin` says by its
   * result whose doing it was; nobody's but the service's own when left out.
   */
  transaction<T>(
    work: (queries: Queries) => Promise<T>,
    origin?: (result: T) => Origin | undefined,
  ): Promise<T>;
  close(): Promise<void>;
  /** Connections by state, where there is more than one. */
  pool?: () => { readonly busy: number; readonly idle: number; readonly waiting: number };
}
