import type { Config } from "./config";
import type { Log } from "./log";
import type { Stored } from "./platform/delivery/dispatcher";
import type { Post } from "./platform/mail/post";
import type { Database } from "./platform/store/database";
import { sendEndings } from "./platform/delivery/ending-events";
import { mailEndings } from "./domains/notices/ending-mails";

const LOOK_MS = 3_600_000;

interface Options {
  readonly config: Config;
  readonly database: Database;
  readonly wake: (stored: readonly Stored[]) => void;
  /** Undefined if people get no mail about it. */
  readonly post: Post | undefined;
  readonly log: Log;
}

/** Tells subscriptions and owners what ends soon, every hour, until it is stopped. */
export function startTelling({ post, log, ...options }: Options): { stop(): Promise<void> } {
  const safely = (work: Promise<void>, words: string) =>
    work.catch((err: unknown) => log.warn({ err }, words));
  const look = async () => {
    await safely(sendEndings(options), "subscriptions were not told what ends soon");
    if (post)
      await safely(mailEndings({ database: options.database, post }), "owners were not told what ends soon");
  };
  let running = look();
  const timer = setInterval(() => (running = running.then(look)), LOOK_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
