import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";

import { FakeGroups, uidOf } from "~/api/testing/fake-groups";
import { groupQuery } from "~/frame/scope/group-ancestry";
import { stubBrowser } from "~/ui/testing/render";

import { RecordLoader } from "./record-loader";

beforeAll(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("keeps the record of a list, and does not read it, when the list loses it", async () => {
  const service = new FakeGroups(1);
  const client = new QueryClient();
  const loader = (known?: { readonly name: string }) => (
    <QueryClientProvider client={client}>
      <RecordLoader uid={uidOf(0)} query={groupQuery} known={known as never} noun="group" onClose={vi.fn()}>
        {({ name }) => name}
      </RecordLoader>
    </QueryClientProvider>
  );
  const { rerender } = render(loader({ name: "deleted" }));
  rerender(loader());
  expect(screen.getByText("deleted")).toBeTruthy();
  expect(service.asked).toEqual([]);
});
