import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { ApiError } from "platform-client/errors";
import { tags, type Tag } from "platform-contract/registry/tags";

import { connect } from "../client/client";
import { sendReplace } from "./send-replace";
import { settle } from "../testing/settle";

const REPO = `${"a".repeat(40)}/${"1".repeat(16)}`;
const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
const body = { name: "latest", digest: digest("b"), deprecated: false, bundles: [] as string[] };
const replacement = { parent: REPO, body, find: { name: "latest", includeDates: true } };

let stored: Partial<Tag>[];
let asked: string[];
/** How the service handles the write. */
let write: () => Response;

beforeEach(() => {
  vi.useFakeTimers();
  stored = [{ uid: `${REPO}/${"2".repeat(16)}`, name: "latest", digest: digest("a"), deprecated: true }];
  asked = [];
  vi.stubGlobal("fetch", async (url: string, { method = "GET" }: RequestInit) => {
    asked.push(`${method} ${decodeURIComponent(new URL(url).search)}`);
    if (url.includes("/ping/")) return Response.json({});
    return method === "POST" ? write() : Response.json({ tags: stored, totalCount: String(stored.length) });
  });
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const carryOut = () => {
  // Like the service, omits what is not set.
  stored = [{ uid: `${REPO}/${"2".repeat(16)}`, name: "latest", digest: body.digest }];
  return stored[0];
};
const lost = (): never => {
  throw new TypeError("Failed to fetch");
};

const send = () => settle(sendReplace(tags, replacement));

it("returns the answer of the service", async () => {
  write = () => Response.json(carryOut());
  expect(await send()).toMatchObject({ digest: body.digest });
  expect(asked).toHaveLength(1);
});

it("reads the record when the answer is lost, and finds that it worked", async () => {
  write = () => {
    carryOut();
    return lost();
  };
  expect(await send()).toMatchObject({ digest: body.digest });
  expect(asked.at(-1)).toContain(`name=latest&includeDates=true&uidp.children_of=${REPO}`);
});

it("says that nothing was saved, or that the values may be someone else's", async () => {
  write = lost;
  const failure = await send();
  expect(failure).toBeInstanceOf(ApiError);
  const since = expect.stringContaining("Not saved, or changed by someone else since");
  expect(failure).toMatchObject({ outcome: "none", message: since });
  stored = [];
  const none = expect.stringContaining("Nothing was saved.");
  expect(await send()).toMatchObject({ outcome: "none", message: none });
  // A flag that should have been removed is still there.
  stored = [{ uid: "x", name: "latest", digest: body.digest, deprecated: true }];
  expect(await send()).toMatchObject({ outcome: "none" });
});

it("says that the outcome is unknown when it cannot read the record", async () => {
  write = () => {
    vi.stubGlobal("fetch", async () => lost());
    return lost();
  };
  expect(await send()).toMatchObject({ outcome: "unknown" });
});

it("reads nothing after a refusal", async () => {
  write = () => Response.json({ code: 3, message: "no" }, { status: 400 });
  expect(await send()).toMatchObject({ kind: "refused", http: 400 });
  expect(asked).toHaveLength(1);
});
