import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";

import { isChunkError, recover, reloadByHand, setChunkErrorHooks, watchChunks } from "./chunk-error";

const noted = vi.fn<() => void>();
const leaving = vi.fn<() => void>();
const pageOf = (entry: string) => `<!doctype html><script type="module" crossorigin src="${entry}"></script>`;
let deployed: () => Response;
// Each test runs a while after the previous one, and after what a test does by the real clock.
let now = Date.now();

beforeAll(() => {
  watchChunks();
  setChunkErrorHooks({ noted, leaving });
  // jsdom only logs that it cannot load pages.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
beforeEach(() => {
  now += 1_000_000;
  document.head.innerHTML = '<script type="module" src="./assets/index-one.js"></script>';
  deployed = () => new Response(pageOf("./assets/index-two.js"));
  vi.stubGlobal("fetch", async () => deployed());
});
afterEach(() => {
  sessionStorage.clear();
  vi.clearAllMocks();
});

/** Does what Vite does when an import fails. */
function fail(): Error {
  const error = new TypeError("Failed to fetch dynamically imported module: https://c.example/assets/a.js");
  window.dispatchEvent(
    Object.assign(new Event("vite:preloadError", { cancelable: true }), { payload: error }),
  );
  return error;
}

it("detects a chunk that failed to load, and keeps the router from reloading the page", () => {
  const error = fail();
  expect(isChunkError(error)).toBe(true);
  expect(error.message).not.toMatch(/dynamically imported/);
  expect(error.cause).toMatch(/dynamically imported module: .*a\.js/);
  expect(noted).toHaveBeenCalledOnce();
  expect(isChunkError(new TypeError("Failed to fetch"))).toBe(false);
});

it("removes the link of a style sheet that failed to load, so that it is requested again", () => {
  const links = ["a.css", "b.css"].map((href) =>
    Object.assign(document.createElement("link"), { rel: "stylesheet", href }),
  );
  document.head.append(...links);
  const told = vi.fn<() => void>();
  links[0]?.addEventListener("error", told);
  links[0]?.dispatchEvent(new Event("error"));
  links[1]?.dispatchEvent(new Event("load"));
  expect(told).toHaveBeenCalledOnce();
  expect(links.map(({ isConnected }) => isConnected)).toEqual([false, true]);
});

it("reloads once if the same version is deployed: the connection may have failed", async () => {
  deployed = () => new Response(pageOf("./assets/index-one.js"));
  expect(await recover(now)).toBe("reloading");
  expect(await recover(now + 200_000)).toBe("stuck");
  expect(leaving).toHaveBeenCalledOnce();
});

it("reloads once for each new version, at most once a minute", async () => {
  expect(await recover(now)).toBe("reloading");
  expect(leaving).toHaveBeenCalledOnce();
  expect(await recover(now + 200_000)).toBe("stuck");
  deployed = () => new Response(pageOf("./assets/index-three.js"));
  expect(await recover(now + 30_000)).toBe("stuck");
  expect(await recover(now + 90_000)).toBe("reloading");
  expect(leaving).toHaveBeenCalledTimes(2);
});

it("does not fail while the page is unloading, however many chunks are missing", async () => {
  expect(await Promise.all([recover(now), recover(now + 1)])).toEqual(["reloading", "reloading"]);
  expect(await recover(now + 1_000)).toBe("reloading");
  expect(leaving).toHaveBeenCalledOnce();
  expect(await recover(now + 30_000)).toBe("stuck");
});

it.each([
  ["full", "setItem", "QuotaExceededError"],
  ["forbidden", "getItem", "SecurityError"],
] as const)("does not load the page again when the storage is %s", async (what, method, name) => {
  const storage = vi.spyOn(Storage.prototype, method).mockImplementation(() => {
    throw new DOMException(what, name);
  });
  expect(await recover(now).finally(() => storage.mockRestore())).toBe("stuck");
  expect(leaving).not.toHaveBeenCalled();
});

it.each([
  [
    "nobody answers",
    () => {
      throw new TypeError("Failed to fetch");
    },
    "unreachable",
  ],
  ["a gateway answers", () => new Response("<h1>Bad gateway</h1>", { status: 502 }), "unreachable"],
  ["something else answers", () => new Response("<h1>Log in to this network</h1>"), "unreachable"],
])("does not load the page again when %s", async (_when, answer, outcome) => {
  deployed = answer;
  expect(await recover(now)).toBe(outcome);
  expect(leaving).not.toHaveBeenCalled();
});

it("reloads on request, unless that would lead to an error page of the browser", async () => {
  expect(await reloadByHand()).toBe("reloading");
  deployed = () => {
    throw new TypeError("Failed to fetch");
  };
  expect(await reloadByHand()).toBe("unreachable");
  expect(leaving).toHaveBeenCalledOnce();
});
