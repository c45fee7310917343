import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";

import { gadgetVersions } from "platform-contract/testing/invented";

import { connect } from "../client/client";
import { infinite, rowsOf } from "./queries";

afterEach(() => vi.unstubAllGlobals());

it("reads a list below a record without a uid like any other, page after page", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address.split("?")[0] ?? "");
    return address.includes("page_token")
      ? Response.json({ versions: [{ version: "1.0" }] })
      : Response.json({ versions: [{ version: "1.1" }], nextPageToken: "t", totalCount: "2" });
  });
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
  const list = infinite(gadgetVersions, { query: "1" }, { path: { artifactId: "python:requests" } });
  expect(list.queryKey).toEqual(["versions", "list", { artifactId: "python:requests", query: "1" }]);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  const data = await client.fetchInfiniteQuery({ ...list, pages: 2 });
  expect(rowsOf(data as never).rows).toEqual([{ version: "1.1" }, { version: "1.0" }]);
  expect(new Set(asked)).toEqual(
    new Set(["https://api.example/libraries/v2/artifacts/python:requests/versions"]),
  );
});
