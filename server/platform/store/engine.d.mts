/** One session of the embedded PostgreSQL; what it is asked runs in that order, one after another. */
export interface Engine {
  /** Dates, bigints and parsed JSON, as `Database` promises. Rejects with what PostgreSQL says of an error. */
  query<R>(sql: string, parameters: readonly unknown[]): Promise<R[]>;
  /** Writes everything to disk and ends. */
  close(): Promise<void>;
  /** Ends at once, like a killed process. */
  end(): void;
  readonly ended: boolean;
  /** True if it works with other files than there are: it has to be started again. */
  readonly astray: boolean;
}

export function openEngine(options: {
  readonly dataDir: string;
  readonly made?: Blob | undefined;
}): Promise<Engine>;
