import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { FakeBrowser } from "~/auth/testing/fake-browser";
import { createLedger } from "./bulk-job";
import { findLedger, keepLedger } from "./storage";
import { claimLedger, followLedger, tellTabs, type LedgerTabs } from "./tabs";
import { itemsOf, MemoryStorage, PLAN, world } from "../testing/bulk-fixture";

const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What two tabs of one browser share. */
function browser(): () => LedgerTabs {
  const { locks } = new FakeBrowser();
  const open = new Set<{ readonly hear: ((event: MessageEvent) => void)[] }>();
  return () => ({
    locks,
    openChannel: () => {
      const channel = { hear: [] as ((event: MessageEvent) => void)[] };
      open.add(channel);
      return {
        postMessage: (data: unknown) => {
          for (const other of open)
            if (other !== channel)
              queueMicrotask(() => other.hear.forEach((hear) => hear({ data } as MessageEvent)));
        },
        addEventListener: ((_type: string, hear: (event: MessageEvent) => void) =>
          void channel.hear.push(hear)) as BroadcastChannel["addEventListener"],
        close: () => void open.delete(channel),
      };
    },
  });
}

/** A ledger that runs in one tab, and what a duplicate of that tab has of it. */
function twoTabs(count: number) {
  const tab = browser();
  const storage = new MemoryStorage();
  const kept = keepLedger("ada", PLAN, itemsOf(count), storage);
  const owner = world();
  const ledger = createLedger(itemsOf(count), owner.work, tellTabs(kept.run, kept.items, kept.keeper, tab()));
  const copied = new MemoryStorage();
  for (const [key, value] of storage.held) copied.setItem(key, value);
  const copy = findLedger("ada", copied);
  if (!copy) throw new Error("the copy has it too");
  const seen = { done: [] as string[], closed: 0 };
  const follow = () =>
    followLedger(copy.run, copy.items, {
      keeper: copy.keeper,
      tabs: tab(),
      onDone: (uids) => seen.done.push(...uids),
      onClosed: () => (seen.closed += 1),
    });
  return { tab, kept, copy, copied, owner, ledger, follow, seen };
}

it("belongs to one tab at a time, and to the next one when that is gone", async () => {
  const { tab, kept } = twoTabs(1);
  const owned: string[] = [];
  const leave = claimLedger(kept.run, tab(), () => owned.push("first"));
  const giveUp = claimLedger(kept.run, tab(), () => owned.push("never"));
  claimLedger(kept.run, tab(), () => owned.push("second"));
  await settle();
  expect(owned).toEqual(["first"]);
  giveUp();
  leave();
  await settle();
  expect(owned).toEqual(["first", "second"]);
});

it("is followed in the other tab, with what happened before anybody looked", async () => {
  const { owner, ledger, follow, seen } = twoTabs(6);
  ledger.resume();
  owner.sent[0]?.answer();
  await settle();
  const followed = follow();
  await vi.advanceTimersByTimeAsync(200);
  expect(followed.get()).toMatchObject({ run: "elsewhere", counts: { done: 1, sending: 4, queued: 1 } });
  expect(seen.done).toEqual(["u0"]);
  followed.resume();
  followed.retryFailed();
  for (const each of owner.sent.slice(1)) each.answer();
  await vi.advanceTimersByTimeAsync(200);
  expect(followed.get().counts).toMatchObject({ done: 5, sending: 1 });
  expect(owner.sent).toHaveLength(6);
});

it("is gone on with from where the other tab was: nothing is sent twice", async () => {
  const { owner, ledger, follow, copied } = twoTabs(6);
  ledger.resume();
  const followed = follow();
  await settle();
  owner.sent[0]?.answer();
  await settle();
  const states = ["done", "sending", "sending", "sending", "sending", "queued"];
  expect(followed.leave().map(({ state }) => state)).toEqual(states);
  // And a reload of the duplicate finds the same.
  expect(findLedger("ada", copied)?.items.map(({ state }) => state)).toEqual(states);
  owner.sent[1]?.answer();
  await settle();
  expect(followed.leave()[1]?.state).toBe("sending");
});

it("is closed in every tab when it is closed where it ran, and alone where it was looked at", async () => {
  const one = twoTabs(2);
  one.follow();
  one.ledger.close();
  await settle();
  expect(one.seen.closed).toBe(1);
  expect(one.copied.length).toBe(0);

  const other = twoTabs(2);
  const followed = other.follow();
  followed.close();
  expect(other.copied.length).toBe(0);
  other.ledger.resume();
  for (const each of other.owner.sent) each.answer();
  await vi.advanceTimersByTimeAsync(1000);
  expect(other.ledger.get().run).toBe("over");
  expect(followed.get().counts.queued).toBe(2);
});
