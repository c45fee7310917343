import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { afterEach, describe, expect, it, vi } from "vitest";

import { groups } from "platform-contract/iam/groups";

import { TOKEN_LIFETIME_MS } from "../paging/page-reader";
import { FakeGroups, ROOT, uidOf } from "../testing/fake-groups";
import { infinite, rowsOf } from "./queries";

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
  return { service, client, observer, asked, next, uids };
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => uidOf(from + index));

describe("a token that leads to the beginning again", () => {
  it("is replaced by the row number, without gap or repeat", async () => {
    const { service, asked, next, uids } = await setUp(4);
    service.restarts = true;
    await next();
    expect(asked()).toEqual(["GET page_token=200", "GET skip=190"]);
    expect(uids()).toEqual(range(0, 240));
    await next();
    expect(uids()).toEqual(range(0, 280));
  });

  it("leaves no gap where rows before it went away, and pages are short", async () => {
    const { service, asked, next, uids } = await setUp(4);
    service.groups.splice(0, 30);
    service.restarts = true;
    service.most = 40;
    await next();
    expect(asked()).toEqual(["GET page_token=200", "GET skip=190", "GET skip=150"]);
    expect(uids().slice(-1)).toEqual([uidOf(219)]);
    expect(uids()).toEqual(range(0, 220));
  });

  it("leaves the rows when the row number leads nowhere either", async () => {
    const { service, observer, next, uids } = await setUp(2);
    service.restarts = true;
    service.fail = ({ url }) =>
      url.includes("page_token") ? undefined : Response.json({ code: 14, message: "down" }, { status: 503 });
    await next();
    expect(observer.getCurrentResult().isFetchNextPageError).toBe(true);
    expect(uids()).toEqual(range(0, 100));
  });

  it("is an error where the service knows no row numbers", async () => {
    const { service, observer, next, uids } = await setUp(4);
    service.restarts = true;
    service.ignoresSkip = true;
    await next();
    expect(observer.getCurrentResult().error).toMatchObject({ kind: "invalid" });
    expect(uids()).toEqual(range(0, 200));
  });
});

it("a token that has been held for three days is not sent", async () => {
  const { client, asked, next, uids } = await setUp(4);
  client
    .getQueryCache()
    .find({ queryKey: list.queryKey })
    ?.setState({ dataUpdatedAt: Date.now() - TOKEN_LIFETIME_MS - 1 });
  await next();
  expect(asked()).toEqual(["GET skip=190"]);
  expect(uids()).toEqual(range(0, 240));
});

it("a token that the service refuses is replaced by the row number", async () => {
  const { service, asked, next, uids } = await setUp(2);
  service.fail = ({ url }) =>
    url.includes("page_token") ? Response.json({ code: 3, message: "no" }, { status: 400 }) : undefined;
  await next();
  expect(asked()).toEqual(["GET page_token=100", "GET skip=90"]);
  expect(uids()).toEqual(range(0, 140));
});
