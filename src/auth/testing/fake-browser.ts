import { AuthError } from "../errors";
import type { Surroundings } from "../surroundings";

type Listener = (event: { data: unknown }) => void;

interface Waiter {
  readonly enter: () => void;
}

/** The Web Locks of one browser: exclusive, in order, stealable, as far as the console uses them. */
class FakeLocks {
  readonly #held = new Map<string, { lose: (reason: unknown) => void; clientId: string }>();
  #holds = 0;
  readonly #waiting = new Map<string, Waiter[]>();

  readonly request = (async (name: string, ...rest: unknown[]) => {
    const work = rest.at(-1) as () => Promise<unknown>;
    const { signal, steal = false } = (rest.length > 1 ? rest[0] : {}) as {
      signal?: AbortSignal;
      steal?: boolean;
    };
    if (steal) this.#held.get(name)?.lose(new DOMException("stolen", "AbortError"));
    else if (this.#held.has(name)) await this.#turn(name, signal);
    return this.#hold(name, work);
  }) as LockManager["request"];

  readonly query = async (): Promise<LockManagerSnapshot> => ({
    held: [...this.#held].map(([name, { clientId }]) => ({ name, mode: "exclusive", clientId })),
    pending: [],
  });

  #turn(name: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter = { enter: resolve };
      const queue = this.#waiting.get(name) ?? [];
      this.#waiting.set(name, [...queue, waiter]);
      signal?.addEventListener("abort", () => {
        this.#waiting.set(
          name,
          (this.#waiting.get(name) ?? []).filter((other) => other !== waiter),
        );
        reject(signal.reason);
      });
    });
  }

  async #hold(name: string, work: () => Promise<unknown>): Promise<unknown> {
    let lose: (reason: unknown) => void = () => undefined;
    const lost = new Promise((_, reject) => (lose = reject));
    const holder = { lose, clientId: String(++this.#holds) };
    this.#held.set(name, holder);
    try {
      return await Promise.race([work(), lost]);
    } finally {
      if (this.#held.get(name) === holder) {
        this.#held.delete(name);
        const [next, ...later] = this.#waiting.get(name) ?? [];
        this.#waiting.set(name, later);
        next?.enter();
      }
    }
  }
}

export class FakeStorage implements Storage {
  readonly #items: Map<string, string>;
  [name: string]: unknown;
  constructor(items: Iterable<readonly [string, string]> = []) {
    this.#items = new Map(items);
  }
  get length(): number {
    return this.#items.size;
  }
  key = (index: number) => [...this.#items.keys()][index] ?? null;
  getItem = (key: string) => this.#items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.#items.set(key, value);
  removeItem = (key: string) => void this.#items.delete(key);
  clear = () => this.#items.clear();
  entries = () => [...this.#items];
}

export interface FakeTab extends Surroundings {
  readonly storage: FakeStorage;
  /** Where the tab navigated to, in order. */
  readonly went: string[];
  /** What its hidden frames visited, in order; `answer` returns the URL with which a frame comes back. */
  readonly visited: string[];
  answer: ((address: string) => Promise<string>) | undefined;
  /** A frozen tab neither receives nor sends messages. */
  frozen: boolean;
  /** If set, the tab is busy: incoming messages queue here, as functions to call. */
  busy: (() => void)[] | undefined;
}

/** One browser: its tabs share locks, channels and a clock that moves only with `advance`. */
export class FakeBrowser {
  now = 1_700_000_000_000;
  readonly locks = new FakeLocks();
  readonly #channels = new Map<string, { tab: FakeTab; listener: Listener }[]>();
  #sleepers: { until: number; wake: () => void }[] = [];

  advance(milliseconds: number): void {
    this.now += milliseconds;
    const due = this.#sleepers.filter(({ until }) => until <= this.now);
    this.#sleepers = this.#sleepers.filter(({ until }) => until > this.now);
    for (const { wake } of due) wake();
  }

  tab(href: string, { base = "https://console.example/", storage = new FakeStorage() } = {}): FakeTab {
    let address = href;
    const tab: FakeTab = {
      base,
      storage,
      went: [],
      visited: [],
      answer: undefined,
      frozen: false,
      busy: undefined,
      locks: this.locks,
      openChannel: (name) => this.#open(name, tab),
      now: () => this.now,
      wait: (milliseconds) =>
        new Promise((wake) => this.#sleepers.push({ until: this.now + milliseconds, wake: () => wake() })),
      href: () => address,
      go: (to) => void tab.went.push(to),
      frame: async (visit) => {
        tab.visited.push(visit);
        if (!tab.answer) throw new AuthError("refused", "no frames here", { detail: "frame-src" });
        return tab.answer(visit);
      },
      rewrite: (path) => void (address = new URL(path, address).href),
    };
    return tab;
  }

  #open(name: string, tab: FakeTab): ReturnType<Surroundings["openChannel"]> {
    const members = this.#channels.get(name) ?? [];
    this.#channels.set(name, members);
    return {
      postMessage: (message: unknown) => {
        if (tab.frozen) return;
        for (const { tab: other, listener } of members) {
          const hear = () => other.frozen || listener({ data: structuredClone(message) });
          if (other !== tab) queueMicrotask(() => (other.busy ? other.busy.push(hear) : hear()));
        }
      },
      addEventListener: ((_type: string, listener: Listener) =>
        void members.push({ tab, listener })) as BroadcastChannel["addEventListener"],
    };
  }
}

/** Lets all work that is ready run. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
