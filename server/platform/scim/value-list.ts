import type { Filter } from "scim2-parse-filter";

import type { Budget } from "../access/patterns";
import { invalidValue, ScimError } from "./error";
import { matcherOf, termsOf } from "./filter";
import type { ResourceType } from "./schemas";
import { VALUES, type ScimFields } from "./values";

/** Values that are looked at before others have their turn. */
const SLICE = 200;

/** The same text for equal values. */
const keyOf = (item: ScimFields): string => {
  const entries = Object.entries(item);
  return JSON.stringify(
    entries.length > 1 ? entries.toSorted(([one], [two]) => (one < two ? -1 : 1)) : entries,
  );
};

const isPrimary = (one: ScimFields): boolean => one["primary"] === true;

/** The values of an attribute in the schema's form, each once, found by themselves and by their `value`. */
export class ValueList {
  private items = new Map<string, ScimFields>();
  /** Keys by `value` in lower case, once something asks for it. */
  private byValue: Map<string, Set<string>> | undefined;

  constructor(
    private readonly name: string,
    items: readonly ScimFields[],
    private readonly budget: Budget,
  ) {
    for (const item of items) this.items.set(keyOf(item), item);
  }

  values(): ScimFields[] {
    return [...this.items.values()];
  }

  private charge(steps: number): void {
    this.budget.left -= steps;
    if (this.budget.left < 0)
      throw new ScimError(
        400,
        "the operations have too many values to go through: send fewer at a time, or filters such as value eq",
        "tooMany",
      );
  }

  private set(item: ScimFields): void {
    const key = keyOf(item);
    this.items.set(key, item);
    this.index(key, item);
    if (this.items.size > VALUES && this.name !== "members")
      throw invalidValue(`${this.name} must have at most ${VALUES} values`);
  }

  private index(key: string, { value }: ScimFields): void {
    if (!this.byValue || typeof value !== "string") return;
    const lower = value.toLowerCase();
    const keys = this.byValue.get(lower);
    if (keys) keys.add(key);
    else this.byValue.set(lower, new Set([key]));
  }

  /** At most one value is primary (RFC 7643, section 2.4): the one that was set last. */
  private keepPrimary(changed: readonly ScimFields[]): void {
    const first = changed.find(isPrimary);
    if (first === undefined) return;
    const key = keyOf(first);
    const others = [...this.items].filter(([one, item]) => one !== key && isPrimary(item));
    this.charge(this.items.size);
    if (others.length > 0)
      this.exchange(new Map(others.map(([one, item]) => [one, { ...item, primary: false }])));
  }

  /** Puts other values in the places of these, by their keys. */
  private exchange(changed: ReadonlyMap<string, ScimFields | undefined>): void {
    const before = this.items;
    this.charge(before.size);
    this.items = new Map();
    this.byValue = undefined;
    for (const [key, item] of before) {
      const next = changed.has(key) ? changed.get(key) : item;
      if (next) this.set(next);
    }
  }

  add(given: readonly ScimFields[]): void {
    this.charge(given.length);
    for (const item of given) if (!this.items.has(keyOf(item))) this.set(item);
    this.keepPrimary(given);
  }

  replace(given: readonly ScimFields[]): void {
    this.charge(given.length);
    this.items = new Map();
    this.byValue = undefined;
    for (const item of given) this.set(item);
  }

  delete(given: readonly ScimFields[]): void {
    this.charge(given.length);
    for (const item of given) {
      const key = keyOf(item);
      this.items.delete(key);
      this.byValue?.get(String(item["value"]).toLowerCase())?.delete(key);
    }
  }

  change(selected: readonly ScimFields[], change: (one: ScimFields) => ScimFields | undefined): void {
    const changed = new Map(selected.map((one) => [keyOf(one), change(one)]));
    this.exchange(changed);
    this.keepPrimary([...changed.values()].filter((one) => one !== undefined));
  }

  /** The values that a filter selects. Those that it names are found by index, all others one by one. */
  *selected(filter: Filter, type: ResourceType): Generator<void, ScimFields[]> {
    const { test, values } = matcherOf(filter, type);
    const terms = termsOf(filter);
    const candidates = values ? this.named(values) : [...this.items];
    const found: ScimFields[] = [];
    for (const [index, [key, item]] of candidates.entries()) {
      // Long texts take longer to compare.
      this.charge(terms * Math.ceil(key.length / 500));
      if (test(item)) found.push(item);
      if (index % SLICE === SLICE - 1) yield;
    }
    return found;
  }

  private named(values: readonly string[]): [string, ScimFields][] {
    if (!this.byValue) {
      this.byValue = new Map();
      for (const [key, item] of this.items) this.index(key, item);
    }
    this.charge(values.length);
    const keys = new Set(values.flatMap((value) => [...(this.byValue?.get(value) ?? [])]));
    return [...keys].flatMap((key): [string, ScimFields][] => {
      const item = this.items.get(key);
      return item ? [[key, item]] : [];
    });
  }
}
