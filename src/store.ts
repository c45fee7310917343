/**
 * A value of this page that components watch (`useSyncExternalStore(store.subscribe, store.get)`) and anything can set.
 * `initial` is called when the value is first needed.
 */
export class Store<T> {
  readonly #initial: () => T;
  readonly #listeners = new Set<() => void>();
  #held: { readonly value: T } | undefined;

  constructor(initial: () => T) {
    this.#initial = initial;
  }

  readonly get = (): T => (this.#held ??= { value: this.#initial() }).value;

  /** Tells every listener, also of the same value: what they read can depend on more. */
  readonly set = (value: T): void => {
    this.#held = { value };
    for (const listener of this.#listeners) listener();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** As when the page was loaded, for tests. */
  readonly reset = (): void => this.set(this.#initial());
}
