export type Row = Record<string, unknown>;

/** Parameters are $1, $2, ...; a JavaScript array binds as an SQL array, a Date as timestamptz; pass JSON as text. */
export interface Queries {
  query<R = Row>(sql: string, parameters?: readonly unknown[]): Promise<R[]>;
}

/** What runs in a transaction that has begun, for functions that begin one. */
export const within = (queries: Queries): Pick<Database, "transaction"> => ({
  transaction: (work) => work(queries),
});

/** How a request reached the service. */
export interface Arrival {
  readonly requestId: string;
  /** The client's address. */
  readonly address: string;
  readonly userAgent?: string | undefined;
  readonly transport: "http" | "grpc" | "command";
  /** Why the change is made, in the words of the person who makes it. */
  readonly justification?: string | undefined;
}

/** Who made a change and through which operation, for the events and the log that report it. */
export interface Origin {
  readonly issuer: string;
  readonly subject: string;
  /** uid of the identity. */
  readonly identity: string;
  /** The operation's id; undefined for changes outside of operations, such as a sign-in. */
  readonly operation?: string | undefined;
  /** The OAuth client of the caller's token. */
  readonly client?: string | undefined;
  /** The id of the caller's token. */
  readonly jti?: string | undefined;
  readonly arrival?: Arrival | undefined;
  /** The uid in the operation's path. */
  readonly at?: string | undefined;
  /** Uids that the entry is found by besides the records that it tells. */
  readonly about?: readonly string[] | undefined;
  /** What was done to which record, if not an operation did it: an entry even if nothing changed. */
  readonly act?: {
    readonly action: string;
    readonly kind: string;
    readonly uid: string;
    readonly group: string;
    /** Of the record, if nothing that changed says it. */
    readonly name?: string | undefined;
    /** Fields that changed, as JSON texts, if no record of the log has them. */
    readonly changes?: readonly {
      readonly field: string;
      readonly before?: string;
      readonly after?: string;
    }[];
    /** What the act is about, as JSON texts, while the record stays as it is. */
    readonly facts?: readonly { readonly field: string; readonly after: string }[];
    /** Of what the act refers to and did not change, by uid. */
    readonly names?: Readonly<Record<string, string>>;
  };
}

/**
 * The common interface of both databases. Both return the same types: timestamptz as Date, int8 as number (bigint if it
 * does not fit exactly), jsonb as parsed JSON.
 */
export interface Database extends Queries {
  readonly kind: "embedded" | "postgres";
  /**
   * Runs `work` atomically; retries once after a serialization failure (40001, 40P01). Inside `work`, use only the
   * given `queries`: the embedded database has a single connection and would deadlock. `origin` attributes the change,
   * given the result; without it the change is attributed to the service itself.
   */
  transaction<T>(
    work: (queries: Queries) => Promise<T>,
    origin?: (result: T) => Origin | undefined,
  ): Promise<T>;
  /** For probes: fails within seconds, and also if statements fail or hang that write. */
  readonly probe?: Queries;
  /**
   * From now on a statement that takes too long has hung, and who waited gets UNAVAILABLE; the embedded engine is started
   * again. Not before: migrations and imports take as long as the data is large.
   */
  limitStatements?: () => void;
  close(): Promise<void>;
  /** What is left on the disks of its files, if they are on this machine. */
  room?: () => Promise<{ readonly bytes: number; readonly inodes: number }>;
  /** Connections by state, if there is a pool. */
  pool?: () => { readonly busy: number; readonly idle: number; readonly waiting: number };
}
