import stored from "./numbers.json" with { type: "json" };

/** Numbers of fields and of values of enums, by full name and then by their own names. */
export type Numbers = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Numbers of protobuf's own (19000 to 19999) and beyond are none of ours. */
const MOST = 18_999;

/**
 * Gives every name the number that it has had since it first got one; a new one gets the next that was never given.
 * What is no longer asked for keeps its number, so that nothing else ever gets it.
 */
export class Numbering {
  private readonly given: Record<string, Record<string, number>>;

  constructor(numbers: Numbers = stored) {
    this.given = structuredClone(numbers) as Record<string, Record<string, number>>;
  }

  /** `first` is the smallest number: 1 for fields, 0 for values of enums. */
  of(owner: string, name: string, first: 0 | 1): number {
    const own = (this.given[owner] ??= {});
    const known = own[name];
    if (known !== undefined) return known;
    const next = Math.max(first - 1, ...Object.values(own)) + 1;
    if (next > MOST) throw new Error(`${owner} has too many fields`);
    own[name] = next;
    return next;
  }

  /** The numbers that some names of an owner had which are not among `names`. */
  retired(owner: string, names: readonly string[]): [name: string, number: number][] {
    return Object.entries(this.given[owner] ?? {}).filter(([name]) => !names.includes(name));
  }

  /** Everything that was ever given, in the order of the names. */
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
