import stored from "./numbers.json" with { type: "json" };

/** Numbers of fields and enum values, by the owner's full name and their own name. */
export type Numbers = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Highest number to use: protobuf reserves 19000 to 19999. */
const MOST = 18_999;

/**
 * Assigns numbers permanently: a known name keeps its number, and a new one gets the next that was never used. Numbers
 * of removed names are never reused.
 */
export class Numbering {
  private readonly given: Record<string, Record<string, number>>;

  constructor(numbers: Numbers = stored) {
    this.given = Object.fromEntries(Object.entries(numbers).map(([owner, own]) => [owner, { ...own }]));
  }

  /** `first` is the smallest number: 1 for fields, 0 for enum values. */
  of(owner: string, name: string, first: 0 | 1): number {
    const own = (this.given[owner] ??= {});
    const known = own[name];
    if (known !== undefined) return known;
    const next = Math.max(first - 1, ...Object.values(own)) + 1;
    if (next > MOST) throw new Error(`${owner} has too many fields`);
    own[name] = next;
    return next;
  }

  /** Returns an owner's names that are no longer in use (not among `names`), with their numbers. */
  retired(owner: string, names: readonly string[]): [name: string, number: number][] {
    return Object.entries(this.given[owner] ?? {}).filter(([name]) => !names.includes(name));
  }

  /** All numbers ever assigned, sorted by owner. */
  all(): Numbers {
    const owners = Object.keys(this.given).toSorted();
    return Object.fromEntries(
      owners.map((owner) => {
        const own = Object.entries(this.given[owner] ?? {}).toSorted(([, a], [, b]) => a - b);
        return [owner, Object.fromEntries(own)];
      }),
    );
  }
}
