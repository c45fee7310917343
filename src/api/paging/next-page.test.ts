import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { afterEach, describe, expect, it, vi } from "vitest";

import { groups } from "~/contract/iam/groups";

import { keepPlace } from "../queries/lists";
import { infinite, rowsOf } from "../queries/queries";
import { TOKEN_LIFE } from "./restart";
import { FakeGroups, ROOT, uidOf } from "../testing/fake-groups";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const list = infinite(groups.list, { "uidp.children_of": ROOT, order_by: "uid" });

async function setUp(pages: number) {
  const service = new FakeGroups(500);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  const observer = new InfiniteQueryObserver(client, list);
  observer.subscribe(() => undefined);
  const idle = () => vi.waitFor(() => expect(client.isFetching()).toBe(0));
  await idle();
  for (let page = 1; page < pages; page += 1) await observer.fetchNextPage();
  const asked = () => service.asked.splice(0).map((each) => each.replace(/order_by=uid&?/, "").trim());
  asked();
  const next = async () => {
    await observer.fetchNextPage();
    await idle();
  };
  const uids = () => rowsOf(observer.getCurrentResult().data).rows.map(({ uid }) => uid);
  const held = () => rowsOf(observer.getCurrentResult().data);
  return { service, client, observer, asked, next, uids, held };
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => uidOf(from + index));

describe("a token that leads to the beginning again", () => {
  it("has the list read anew where the person is, without gap or repeat", async () => {
    const { service, client, observer, asked, next, uids, held } = await setUp(4);
    keepPlace(client, list, 150);
    service.restarts = true;
    await next();
    expect(asked()).toEqual(["GET page_token=200", "GET skip=140"]);
    expect(uids()).toEqual(range(140, 190));
    expect(held().anew).toBeGreaterThan(0);
    expect(observer.getCurrentResult().isError).toBe(false);
    service.restarts = false;
    await next();
    expect(uids()).toEqual(range(140, 240));
  });

  it("once more goes on by row numbers, since the tokens are of no use", async () => {
    const { service, client, asked, next, uids } = await setUp(4);
    keepPlace(client, list, 150);
    service.restarts = true;
    await next();
    asked();
    await next();
    expect(asked()).toEqual(["GET page_token=190", "GET skip=190"]);
    expect(uids()).toEqual(range(140, 240));
  });

  it("has as much read again of a list in which nobody says where they are", async () => {
    const { service, next, uids, held } = await setUp(3);
    service.restarts = true;
    service.onRestart = () => (service.restarts = false);
    await next();
    expect(uids()).toEqual(range(0, 150));
    expect(held().anew).toBeGreaterThan(0);
  });

  it("leaves the rows when the list cannot be read anew either", async () => {
    const { service, client, observer, next, uids } = await setUp(2);
    keepPlace(client, list, 0);
    service.restarts = true;
    service.fail = ({ url }) =>
      url.includes("page_token") ? undefined : Response.json({ code: 14, message: "down" }, { status: 503 });
    await next();
    expect(observer.getCurrentResult().isFetchNextPageError).toBe(true);
    expect(uids()).toEqual(range(0, 100));
  });
});

it("a token that has been held for three days is not sent", async () => {
  const { client, asked, next, uids } = await setUp(4);
  keepPlace(client, list, 150);
  client
    .getQueryCache()
    .find({ queryKey: list.queryKey })
    ?.setState({ dataUpdatedAt: Date.now() - TOKEN_LIFE - 1 });
  await next();
  expect(asked()).toEqual(["GET skip=140"]);
  expect(uids()).toEqual(range(140, 190));
});

it("a token that the service refuses has the list read anew", async () => {
  const { service, client, asked, next, uids } = await setUp(2);
  keepPlace(client, list, 0);
  const detail = {
    "@type": "type.googleapis.com/google.rpc.BadRequest",
    fieldViolations: [{ field: "page_token", description: "expired" }],
  };
  service.fail = ({ url }) =>
    url.includes("page_token")
      ? Response.json({ code: 3, message: "no", details: [detail] }, { status: 400 })
      : undefined;
  await next();
  expect(asked()).toEqual(["GET page_token=100", "GET"]);
  expect(uids()).toEqual(range(0, 50));
});
