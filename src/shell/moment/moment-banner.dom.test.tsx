import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it } from "vitest";

import { groups } from "platform-contract/iam/groups";
import { enterPast } from "~/api/client/moment";
import { renderInApp, stubBrowser } from "~/ui/testing/render";

import { MomentBanner } from "./moment-banner";
import { pastAt } from "./past";

beforeAll(stubBrowser);
afterEach(() => {
  cleanup();
  enterPast(undefined);
});

it("says of which organizations the log doesn't tell, once a list has left them out", async () => {
  const past = pastAt("2026-11-14T09:12:59.999Z");
  enterPast(past);
  await renderInApp(
    <QueryClientProvider client={new QueryClient()}>
      <MomentBanner />
    </QueryClientProvider>,
  );
  expect(screen.getByRole("status").textContent).not.toContain("unknown");
  const left = (uids: readonly string[]) =>
    act(() =>
      past?.through(groups.list, () => Promise.resolve({ items: [], unknownOrganizations: uids }))({}),
    );
  await left(["a", "b", "c", "d"]);
  await left(["d", "e"]);
  expect(screen.getByRole("status").textContent).toContain(
    "What was in 5 of your organizations then is unknown: the audit log doesn't tell.",
  );
});
