import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { ends7, setUp } from "../testing/fake-scan";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const refusal = (http: number, code: number) => () =>
  Response.json({ code, message: "no" }, { status: http });

describe("a scan", () => {
  it("reads every page of 200 by its token and keeps what matches, in the list's order", async () => {
    const { scanned, service, pages, uids, summary } = setUp(450);
    expect(summary()).toEqual(["idle", 0, 0, undefined]);
    await scanned.run();
    expect(pages()).toEqual(["GET ", "GET page_token=200", "GET page_token=400"]);
    expect(uids()).toEqual(service.groups.filter(ends7).map(({ uid }) => uid));
    expect(summary()).toEqual(["done", 28, 450, 450]);
  });

  it("prefetches the next page", async () => {
    const seen: number[] = [];
    const { scanned, service } = setUp(450, () => {
      seen.push(service.asked.length);
      return false;
    });
    await scanned.run();
    expect([seen[0], seen[200], seen[449]]).toEqual([2, 3, 3]);
  });

  it("reports at most ten times a second, and its end immediately", async () => {
    const { scanned, service, summary } = setUp(20_000, () => true);
    const told: number[] = [];
    scanned.subscribe(() => told.push(Date.now()));
    // Every response takes 10 ms: a second for all.
    service.held = () => {
      setTimeout(() => service.release(), 10);
      return true;
    };
    const run = scanned.run();
    while (summary()[0] === "reading") await vi.advanceTimersByTimeAsync(10);
    await run;
    expect(summary()).toEqual(["done", 20_000, 20_000, 20_000]);
    const gaps = told.slice(1).map((time, index) => time - (told[index] ?? 0));
    expect(Math.min(...gaps.slice(0, -1))).toBeGreaterThanOrEqual(100);
    expect(gaps.length).toBeGreaterThan(5);
  });

  it("has no total if the service does not count", async () => {
    const { scanned, service, summary, holdFrom, letGo } = setUp(250);
    service.counts = false;
    const run = scanned.run();
    await holdFrom(200);
    await vi.advanceTimersByTimeAsync(100);
    expect(summary()).toEqual(["reading", 13, 200, undefined]);
    letGo();
    await run;
    expect(summary()).toEqual(["done", 16, 250, 250]);
  });

  it("stops at once, keeps its rows, and resumes without gaps or repeats", async () => {
    const { scanned, service, pages, uids, summary, holdFrom, letGo } = setUp(650);
    const run = scanned.run();
    await holdFrom(400);
    scanned.stop();
    expect(summary()).toEqual(["stopped", 25, 400, 650]);
    letGo();
    await run;
    expect(summary()).toEqual(["stopped", 25, 400, 650]);
    pages();
    await scanned.run();
    expect(pages()).toEqual(["GET page_token=400", "GET page_token=600"]);
    expect(uids()).toEqual(service.groups.filter(ends7).map(({ uid }) => uid));
  });

  it("becomes idle when aborted, and resumes on the next run", async () => {
    const { scanned, summary, holdFrom, letGo } = setUp(450);
    const left = new AbortController();
    const run = scanned.run(left.signal);
    await holdFrom(200);
    left.abort();
    expect(summary()).toEqual(["idle", 13, 200, 450]);
    letGo();
    await run;
    await scanned.run(AbortSignal.abort());
    expect(summary()[0]).toBe("idle");
    await scanned.run();
    expect(summary()).toEqual(["done", 28, 450, 450]);
  });

  it("stops after enough rows, as if the user had, and goes on from there", async () => {
    const { scanned: made, summary } = setUp(450);
    await made.run(undefined, 150, "stopped");
    expect(summary()).toEqual(["stopped", 13, 200, 450]);
    await made.run(undefined, made.get().read + 150, "stopped");
    expect([summary()[0], summary()[2]]).toEqual(["stopped", 400]);
    await made.run(undefined, made.get().read + 150, "stopped");
    expect([summary()[0], summary()[2]]).toEqual(["done", 450]);
  });

  it("retries a page after a transient failure; if that fails, keeps its rows and can resume", async () => {
    const { scanned, service, pages, uids, summary } = setUp(650);
    service.fail = ({ url }) => (url.includes("page_token=400") ? refusal(503, 14)() : undefined);
    const run = scanned.run();
    while (summary()[0] === "reading") await vi.advanceTimersByTimeAsync(100);
    await run;
    expect(pages()).toEqual(["GET ", "GET page_token=200", ...Array(4).fill("GET page_token=400")]);
    expect(summary()).toEqual(["failed", 25, 400, 650]);
    expect(scanned.get().error?.message).toBe("no");
    service.fail = undefined;
    await scanned.run();
    expect(pages()).toEqual(["GET page_token=400", "GET page_token=600"]);
    expect(uids()).toEqual(service.groups.filter(ends7).map(({ uid }) => uid));
    expect(scanned.get().error).toBeNull();
  });

  it("does not retry refused requests", async () => {
    const { scanned, service, pages, summary } = setUp(450);
    service.fail = refusal(403, 7);
    await scanned.run();
    expect(pages()).toEqual(["GET "]);
    expect(summary()).toEqual(["failed", 0, 0, undefined]);
  });

  it("restarts, and shows the previous rows until new ones arrive", async () => {
    const { scanned, service, summary, holdFrom, letGo } = setUp(250);
    await scanned.run();
    service.groups = service.groups.slice(0, 100);
    const held = holdFrom(0);
    scanned.restart();
    const run = scanned.run();
    await held;
    expect([scanned.get().old, scanned.get().rows.length]).toEqual([true, 16]);
    letGo();
    await run;
    expect(scanned.get().old).toBe(false);
    expect(summary()).toEqual(["done", 6, 100, 100]);
  });

  it("shows no previous rows after a restart that finds nothing", async () => {
    const { scanned, service, summary } = setUp(250);
    await scanned.run();
    service.groups = service.groups.slice(0, 5);
    scanned.restart();
    await scanned.run();
    expect(summary()).toEqual(["done", 0, 5, 5]);
  });
});
