import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";

import { requestInfoOf } from "~/api/client/request-info";
import { connect } from "~/api/client/client";
import { curlOf } from "~/api/client/curl";

import { byArchitecture, platformsQuery } from "./platforms";

const REPO = `${"a".repeat(40)}/${"1".repeat(16)}`;
const digest = (index: number) => `sha256:${String(index).padStart(64, "0")}`;

afterEach(() => vi.unstubAllGlobals());

it("orders architectures the same everywhere", () => {
  expect(["s390x", "arm64", "386", "amd64", "arm/v7"].toSorted(byArchitecture)).toEqual([
    "amd64",
    "arm64",
    "386",
    "arm/v7",
    "s390x",
  ]);
});

it("sends at most four requests at once, one for each image, with the digest's colon unescaped", async () => {
  let [now, most] = [0, 0];
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    most = Math.max(most, ++now);
    asked.push(new URL(url).pathname);
    await new Promise((resolve) => setTimeout(resolve, 2));
    now--;
    if (url.includes("architecture=arm64")) return Response.json({ code: 5, message: "no" }, { status: 404 });
    return Response.json(
      url.endsWith("/architectures") ? { architectures: ["arm64", "amd64"] } : { size: "9007199254740993" },
    );
  });
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
  const client = new QueryClient();
  const all = [0, 1, 2, 3, 4, 5, 5].map((index) => client.fetchQuery(platformsQuery(REPO, digest(index))));
  for (const platforms of await Promise.all(all))
    expect(platforms).toEqual([
      { architecture: "amd64", size: 9_007_199_254_740_993n },
      { architecture: "arm64", size: undefined },
    ]);
  expect(most).toBe(4);
  expect(asked).toHaveLength(6 * 3);
  expect(asked[0]).toBe(`/registry/v2/repos/${REPO}/digests/${digest(0)}/architectures`);
});

it("says what it asks for: of an image that is known the size for each architecture as well", () => {
  const { meta } = platformsQuery(REPO, digest(1));
  const command = (known: unknown) =>
    requestInfoOf(meta, known).map((asked) => curlOf("https://api.example", asked));
  const image = `https://api.example/registry/v2/repos/${REPO}/digests/${digest(1)}`;
  expect(command(undefined)).toEqual([expect.stringContaining(`'${image}/architectures'`)]);
  expect(command([{ architecture: "amd64", size: 1 }])).toEqual([
    expect.stringContaining(`'${image}/architectures'`),
    expect.stringMatching(/\/size'[^]*'architecture=amd64'/),
  ]);
});
