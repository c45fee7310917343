import { expect, it, vi } from "vitest";

import { batched } from "./batched";

it("batches requests made together, and sends later ones again", async () => {
  vi.useFakeTimers();
  const read = vi.fn(async (uids: ReadonlySet<string>) =>
    [...uids].filter((uid) => uid !== "hidden").map((uid) => ({ uid })),
  );
  const one = batched(read);
  const first = Promise.all([one("a"), one("hidden"), one("a"), one("b")]);
  await vi.advanceTimersByTimeAsync(50);
  const uids = ["a", "hidden", "b"];
  expect(await first).toEqual([
    { record: { uid: "a" }, uids },
    { record: undefined, uids },
    { record: { uid: "a" }, uids },
    { record: { uid: "b" }, uids },
  ]);
  expect(read).toHaveBeenCalledTimes(1);
  const later = one("c");
  await vi.advanceTimersByTimeAsync(50);
  expect((await later).record).toEqual({ uid: "c" });
  expect(read).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});

it("rejects all callers of a failed batch, and retries with the next one", async () => {
  const read = vi.fn<() => Promise<{ uid: string }[]>>().mockRejectedValueOnce(new Error("out of reach"));
  read.mockResolvedValueOnce([{ uid: "a" }]);
  const one = batched(read);
  const outcomes = await Promise.allSettled([one("a"), one("b")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await one("a")).toEqual({ record: { uid: "a" }, uids: ["a"] });
});
