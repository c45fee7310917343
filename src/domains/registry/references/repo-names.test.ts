import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";

import { requestInfoOf } from "~/api/client/request-info";
import { connect } from "~/api/client/client";

import { repoNameQuery } from "./repo-names";

afterEach(() => vi.unstubAllGlobals());

it("requests the names of all rows at once, and shows that request for each", async () => {
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    sent.push(new URL(url).search);
    return Response.json({ repos: [{ uid: "g/a", name: "python" }] });
  });
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
  const client = new QueryClient();
  const queries = ["g/a", "g/gone"].map(repoNameQuery);
  const [known, gone] = await Promise.all(queries.map((query) => client.fetchQuery(query)));
  expect([known?.name, gone?.name]).toEqual(["python", undefined]);
  expect(sent).toHaveLength(1);
  const { meta } = queries[0] as (typeof queries)[number];
  expect(requestInfoOf(meta)).toEqual([]);
  expect(requestInfoOf(meta, known)).toEqual(requestInfoOf(meta, gone));
  expect(requestInfoOf(meta, known)[0]).toMatchObject({
    endpoint: { path: "/registry/v2/repos" },
    query: { "uidp.ids": ["g/a", "g/gone"], page_size: 50 },
  });
});
