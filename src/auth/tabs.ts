import type { Surroundings } from "./surroundings";
import { asTokenSet, byAge, type TokenSet } from "./tokens";

/** Messages between tabs, limited to the same origin. */
type Message =
  | { readonly kind: "ask"; readonly id: string }
  | {
      readonly kind: "answer";
      readonly id: string;
      readonly from: string;
      readonly tokens?: TokenSet | undefined;
    }
  | Broadcast;

/** Unsolicited messages: a tab renewed, signed in or signed out. */
export type Broadcast =
  | { readonly kind: "tokens"; readonly tokens: TokenSet }
  | { readonly kind: "signed-out"; readonly issuer: string; readonly subject: string };

export interface Tabs {
  /** From now on this tab shares its tokens when asked, until it leaves. */
  join(): void;
  leave(): void;
  /**
   * Returns the token sets of the other tabs, newest first, once every tab has responded or after 200 ms. If none has
   * arrived by then, returns the first one that arrives within `timeoutMs`.
   */
  ask(timeoutMs?: number): Promise<TokenSet[]>;
  announce(news: Broadcast): void;
}

/** Milliseconds to wait for other tabs: a sleeping tab does not respond. */
const ANSWER_TIMEOUT_MS = 200;

/**
 * The other tabs of this console. Each tab holds a Web Lock: unlike a list kept by messages, the locks are exact for a
 * tab that has just opened, and the browser releases those of closed and crashed tabs.
 */
export function openTabs(options: {
  readonly name: string;
  readonly surroundings: Pick<Surroundings, "locks" | "openChannel" | "wait">;
  readonly current: () => TokenSet | undefined;
  readonly onBroadcast: (news: Broadcast) => void;
}): Tabs {
  const { name, current, onBroadcast } = options;
  const { locks, openChannel, wait } = options.surroundings;
  const self = crypto.randomUUID();
  const prefix = `${name}:tab:`;
  const channel = openChannel(name);
  const questions = new Map<string, (from: string, tokens: TokenSet | undefined) => void>();
  let release: (() => void) | undefined;

  const post = (message: Message): void => channel.postMessage(message);

  channel.addEventListener("message", (event) => {
    const message: Message = event.data;
    if (message.kind === "ask")
      post({ kind: "answer", id: message.id, from: self, tokens: release ? current() : undefined });
    else if (message.kind === "answer") questions.get(message.id)?.(message.from, asTokenSet(message.tokens));
    else if (message.kind === "tokens" && asTokenSet(message.tokens)) onBroadcast(message);
    else if (message.kind === "signed-out") onBroadcast(message);
  });

  const others = async (): Promise<Set<string>> => {
    const { held = [] } = await locks.query();
    const tabs = held.flatMap((lock) =>
      lock.name?.startsWith(prefix) ? [lock.name.slice(prefix.length)] : [],
    );
    return new Set(tabs.filter((tab) => tab !== self));
  };

  return {
    join() {
      if (release) return;
      const left = new Promise<void>((resolve) => (release = resolve));
      // Rejects only when the page is going away.
      locks.request(prefix + self, () => left).catch(() => undefined);
    },
    leave() {
      release?.();
      release = undefined;
    },
    async ask(timeoutMs = ANSWER_TIMEOUT_MS) {
      const missing = await others();
      if (missing.size === 0) return [];
      const id = crypto.randomUUID();
      const found: TokenSet[] = [];
      let late = false;
      const answered = new Promise<void>((resolve) => {
        questions.set(id, (from, tokens) => {
          if (tokens) found.push(tokens);
          missing.delete(from);
          if (missing.size === 0 || (late && tokens)) resolve();
        });
      });
      post({ kind: "ask", id });
      await Promise.race([answered, wait(ANSWER_TIMEOUT_MS)]);
      late = true;
      if (found.length === 0 && missing.size > 0 && timeoutMs > ANSWER_TIMEOUT_MS)
        await Promise.race([answered, wait(timeoutMs - ANSWER_TIMEOUT_MS)]);
      questions.delete(id);
      return found.toSorted(byAge);
    },
    announce: post,
  };
}
