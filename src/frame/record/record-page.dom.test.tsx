import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { Component, type PropsWithChildren } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";

import { FakeGroups, ROOT, uidOf } from "~/api/testing/fake-groups";
import { stubBrowser, renderInApp } from "~/ui/testing/render";

import { groupQuery } from "~/frame/scope/group-ancestry";
import { RecordHeader, RecordPage } from "./record-page";

beforeAll(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Stands in for the shell, which shows a thrown error in place of the screen. */
class Shell extends Component<PropsWithChildren, { readonly thrown?: unknown }> {
  override state: { readonly thrown?: unknown } = {};
  static getDerivedStateFromError = (thrown: unknown) => ({ thrown });
  override componentDidCatch() {}
  override render() {
    const { thrown } = this.state;
    if (thrown === undefined) return this.props.children;
    return <p>{thrown instanceof Error ? thrown.message : JSON.stringify(thrown)}</p>;
  }
}

async function show(param: string) {
  const service = new FakeGroups(1);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  await renderInApp(
    <QueryClientProvider client={client}>
      <Shell>
        <RecordPage param={param} query={groupQuery} word="Folder">
          {(group, stale) => (
            <>
              <RecordHeader uid={group.uid} record={group} name={group.name} menu={(common) => common} />
              {stale}
            </>
          )}
        </RecordPage>
      </Shell>
    </QueryClientProvider>,
  );
  return { service, readAgain: () => client.invalidateQueries() };
}

const param = uidOf(0).replaceAll("/", "_");

it("shows the record, and its raw JSON last", async () => {
  await show(param);
  expect((await screen.findByRole("heading", { level: 1, name: "g0" })).textContent).toBe("g0");
  expect(screen.getByLabelText("JSON").textContent).toContain(uidOf(0));
});

it("is called by what it is until its name is there, never by its uid", async () => {
  const titles: (string | null)[] = [];
  const watch = new MutationObserver(() => titles.push(document.querySelector("h1")?.textContent ?? null));
  watch.observe(document, { childList: true, subtree: true, characterData: true });
  await show(param);
  await screen.findByRole("heading", { level: 1, name: "g0" });
  watch.disconnect();
  expect([...new Set(titles.filter(Boolean))]).toEqual(["Folder", "g0"]);
});

it("keeps a record that can't be refreshed, with a notice", async () => {
  const { service, readAgain } = await show(param);
  await screen.findByRole("heading", { level: 1, name: "g0" });
  service.fail = () => Response.json({ code: 13, message: "out of order" }, { status: 500 });
  await readAgain();
  expect(await screen.findByText(/^Couldn't refresh/)).toBeTruthy();
  expect(screen.getByRole("heading", { level: 1, name: "g0" })).toBeTruthy();
});

it("shows no cached record that is deleted or no longer visible", async () => {
  const { service, readAgain } = await show(param);
  await screen.findByRole("heading", { level: 1, name: "g0" });
  service.groups = [];
  await readAgain();
  await waitFor(() => expect(screen.getByText("gone")).toBeTruthy());
  expect(screen.queryByRole("heading", { name: "g0" })).toBeNull();
});

it("leaves an address without a uid to the shell", async () => {
  await show("acme");
  expect(screen.getByText(/"isNotFound":true/)).toBeTruthy();
  cleanup();
  await show(ROOT);
  expect(screen.queryByText(/isNotFound/)).toBeNull();
});
