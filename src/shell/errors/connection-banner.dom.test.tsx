import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it } from "vitest";

import { watchConnection } from "~/api/client/connection";
import { stubBrowser } from "~/ui/testing/render";

import { ConnectionBanner } from "./connection-banner";

beforeAll(stubBrowser);
afterEach(cleanup);

const never = () => new Promise<string>(() => undefined);

function Part({ name }: { readonly name: string }) {
  useQuery({ queryKey: [name], queryFn: never, staleTime: Infinity });
  return null;
}

/** Shows the banner over a page with these parts while the service is down. */
async function bannerOver(...parts: readonly (readonly [name: string, read?: string])[]): Promise<string> {
  const client = new QueryClient();
  for (const [name, read] of parts)
    if (read !== undefined) client.setQueryData([name], "data", { updatedAt: new Date(read).getTime() });
  const watch = watchConnection(() => Promise.reject(new Error("The service can't be reached.")));
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <ConnectionBanner />
        {parts.map(([name]) => (
          <Part key={name} name={name} />
        ))}
      </QueryClientProvider>
    </MantineProvider>,
  );
  await act(async () => watch.check());
  return screen.getByRole("status").textContent;
}

it("claims no data where the page has none", async () => {
  expect(await bannerOver(["groups"])).toBe("The service can't be reached. Changes are paused.");
});

it("says when the data was read, by its own times", async () => {
  expect(await bannerOver(["groups", "2026-11-25T10:10:00"], ["roles", "2026-11-25T10:10:30"])).toBe(
    "The service can't be reached. Showing data from 10:10. Changes are paused.",
  );
  cleanup();
  expect(await bannerOver(["groups", "2026-11-25T10:10:00"], ["roles", "2026-11-25T10:25:00"])).toBe(
    "The service can't be reached. Showing data from 10:10 to 10:25. Changes are paused.",
  );
});

it("says if parts of the page are missing", async () => {
  expect(await bannerOver(["groups", "2026-11-25T10:10:00"], ["roles"])).toBe(
    "The service can't be reached. Parts of this page couldn't be loaded; the rest is from 10:10. Changes are paused.",
  );
});
