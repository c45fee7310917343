/** A record as its writer knows it. */
export interface Known {
  readonly collection: "groups" | "identities";
  /** "" at root level. */
  readonly parent: string;
  readonly name: string;
  readonly description: string;
}

interface Entry {
  acknowledged: Known;
  /** The unanswered request: it either happened completely or not at all. */
  pending?: Known | "deleted";
}

export interface Findings {
  /** Acknowledged writes that are missing, one sentence each. */
  readonly lost: string[];
  /** Writes without a response that turned out to have happened. */
  readonly arrived: number;
}

const same = (a: Known | undefined, b: Known | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.collection === b.collection &&
  a.parent === b.parent &&
  a.name === b.name &&
  a.description === b.description;

/** The writes of one writer, which has at most one in flight. */
export class Ledger {
  readonly entries = new Map<string, Entry>();
  acknowledged = 0;
  /** A create without a response; its uid is unknown. */
  #creating: Known | undefined;
  #touched: string | undefined;

  begin(uid: string | undefined, next: Known | "deleted"): void {
    this.#touched = uid;
    if (uid === undefined) this.#creating = next as Known;
    else {
      const entry = this.entries.get(uid);
      if (entry) entry.pending = next;
    }
  }

  /** The write was acknowledged: from now on it must persist. */
  done(uid: string): void {
    this.acknowledged++;
    if (this.#creating) this.entries.set(uid, { acknowledged: this.#creating });
    else {
      const entry = this.entries.get(uid);
      if (entry?.pending === "deleted") this.entries.delete(uid);
      else if (entry?.pending) this.entries.set(uid, { acknowledged: entry.pending });
    }
    this.#creating = undefined;
    this.#touched = undefined;
  }

  /** The write was explicitly rejected, before it changed anything. */
  refused(): void {
    const entry = this.#touched === undefined ? undefined : this.entries.get(this.#touched);
    delete entry?.pending;
    this.#creating = undefined;
  }

  /**
   * Compares with all existing records, by uid, and continues from there. `mine` is true for this writer's records,
   * judged by name.
   */
  settle(actual: ReadonlyMap<string, Known>, mine: (record: Known) => boolean): Findings {
    const lost: string[] = [];
    let arrived = 0;
    for (const [uid, entry] of this.entries) {
      const { acknowledged, pending } = entry;
      const found = actual.get(uid);
      delete entry.pending;
      if (pending !== undefined && pending !== "deleted" && same(found, pending)) {
        entry.acknowledged = pending;
        arrived++;
      } else if (pending === "deleted" && !found) {
        this.entries.delete(uid);
        arrived++;
      } else if (!same(found, acknowledged))
        lost.push(`${uid} should be ${JSON.stringify(acknowledged)} and is ${JSON.stringify(found)}`);
    }
    const news = [...actual].filter(([uid, record]) => mine(record) && !this.entries.has(uid));
    for (const [uid, record] of news)
      if (same(record, this.#creating)) {
        this.entries.set(uid, { acknowledged: record });
        this.#creating = undefined;
        arrived++;
      } else lost.push(`${uid} should be gone and is ${JSON.stringify(record)}`);
    this.#creating = undefined;
    return { lost, arrived };
  }
}
