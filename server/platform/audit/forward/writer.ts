/** An entry as it is forwarded. */
export interface Outgoing {
  /** The entry in its API form, as one line of JSON without line break. */
  readonly line: string;
  readonly time: Date;
  readonly action: string;
  /** False if it was refused. */
  readonly done: boolean;
}

export interface Writer {
  /** Resolves when the target has all of them, as far as its protocol can tell. Rejects if it may lack some. */
  write(entries: readonly Outgoing[]): Promise<void>;
  close(): Promise<void>;
}
