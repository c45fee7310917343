/** A record as whoever wrote it knows it. */
export interface Known {
  readonly collection: "groups" | "identities";
  /** "" at root level. */
  readonly parent: string;
  readonly name: string;
  readonly description: string;
}

interface Entry {
  acknowledged: Known;
  /** What was asked for and not answered: either came to pass, wholly. */
  pending?: Known | "deleted";
}

export interface Findings {
  /** Acknowledged writes that are not there: in a sentence each. */
  readonly lost: string[];
  /** Writes without an answer that turned out to be there. */
  readonly arrived: number;
}

const same = (a: Known | undefined, b: Known | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.collection === b.collection &&
  a.parent === b.parent &&
  a.name === b.name &&
  a.description === b.description;

/** What one writer has written; it has at most one write on its way. */
export class Ledger {
  readonly entries = new Map<string, Entry>();
  acknowledged = 0;
  /** A create without an answer; its uid is not known. */
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

  /** The write was answered: from here on it has to stay. */
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

  /** It was refused in so many words, before anything was done. */
  refused(): void {
    const entry = this.#touched === undefined ? undefined : this.entries.get(this.#touched);
    delete entry?.pending;
    this.#creating = undefined;
  }

  /**
   * Compares with everything that there is, by uid, and goes on from there. `mine` tells which records this writer
   * made, by name.
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
