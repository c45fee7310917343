// @vitest-environment jsdom
import { QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { connect } from "~/api/client";
import { createQueryClient } from "~/api/query-client";
import type { Session } from "~/auth/session";
import { SessionContext } from "~/auth/use-session";
import { isBelow, parentOf } from "~/contract/aip";

import { GroupTree } from "./group-tree";

const ROOT = "a".repeat(40);
const FAR = "b".repeat(40);
const child = (parent: string, index: number) => `${parent}/${index.toString(16).padStart(16, "0")}`;
const APPS = child(ROOT, 1);
const PLATFORM = child(ROOT, 2);
const RUNTIME = child(PLATFORM, 1);
const TEAMS = child(ROOT, 3);

interface World {
  groups: { uid: string; name: string }[];
  /** Groups where the person is bound; undefined: bindings cannot be read. */
  bound: string[] | undefined;
  fails: (address: string) => boolean;
}

const world: World = { groups: [], bound: [], fails: () => false };
const asked: URL[] = [];

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

/** As much of the service as the tree asks. */
async function answer(url: URL): Promise<Response> {
  asked.push(url);
  if (world.fails(url.href)) return json({ code: 9, message: "No" }, 400);
  if (url.pathname.endsWith(":lookupIdentity")) return json({ uid: "c".repeat(40) });
  if (url.pathname.endsWith("/roles")) return json({ roles: [{ uid: "viewer", name: "viewer", capabilities: ["CAP_IAM_GROUPS_LIST"] }] });
  if (url.pathname.endsWith("/roleBindings"))
    return json({ roleBindings: (world.bound ?? []).map((group) => ({ uid: child(group, 99), identityUid: "me", roleUid: "viewer" })) });
  const uid = url.pathname.slice("/iam/v2/groups/".length);
  if (uid) {
    const group = world.groups.find((each) => each.uid === uid);
    return group ? json(group) : json({ code: 5, message: "Not found" }, 404);
  }
  const query = (name: string) => url.searchParams.get(name);
  const ids = url.searchParams.getAll("uidp.ids");
  const rows = world.groups
    .filter((group) => query("uidp.in_root") === null || !group.uid.includes("/"))
    .filter((group) => query("uidp.children_of") === null || parentOf(group.uid) === query("uidp.children_of"))
    .filter((group) => query("uidp.descendants_of") === null || isBelow(group.uid, query("uidp.descendants_of") ?? ""))
    .filter((group) => query("uidp.ancestors_of") === null || isBelow(query("uidp.ancestors_of") ?? "", group.uid))
    .filter((group) => ids.length === 0 || ids.includes(group.uid))
    .toSorted((one, other) => (query("order_by") === "name" ? (one.name < other.name ? -1 : 1) : one.uid < other.uid ? -1 : 1));
  const start = Number(query("page_token") ?? 0) + Number(query("skip") ?? 0);
  const end = start + Number(query("page_size") ?? 50);
  return json({ groups: rows.slice(start, end), totalCount: String(rows.length), ...(end < rows.length && { nextPageToken: String(end) }) });
}

const asksFor = (name: string, value: string) => asked.filter((url) => url.searchParams.get(name) === value).length;

let people = 0;

/** Another person each time, who has opened nothing yet. */
function show(current?: string, owner = `person ${(people += 1)}`) {
  const person = { issuer: "https://issuer.example", subject: "ada", expiresAt: Infinity };
  const session = { person, ending: undefined, subscribe: () => () => undefined } as unknown as Session;
  const root = createRootRoute({
    component: () => (
      <>
        <GroupTree label="Groups" owner={owner} current={current} linkTo={(uid) => ({ to: "/", search: { group: uid } as never })} />
        <button type="button">After</button>
      </>
    ),
  });
  const index = createRoute({ getParentRoute: () => root, path: "/" });
  const history = createMemoryHistory();
  const router = createRouter({ routeTree: root.addChildren([index]), history });
  const shown = render(
    <SessionContext value={session}>
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </SessionContext>,
  );
  return { ...shown, router };
}

const row = (name: string | RegExp) => screen.findByRole("treeitem", { name });
const focused = () => document.activeElement?.textContent;

beforeEach(() => {
  sessionStorage.clear();
  asked.length = 0;
  Object.assign(world, {
    groups: [
      { uid: ROOT, name: "Acme" },
      { uid: APPS, name: "apps" },
      { uid: PLATFORM, name: "platform" },
      { uid: RUNTIME, name: "runtime" },
      { uid: TEAMS, name: "teams" },
    ],
    bound: [ROOT],
    fails: () => false,
  });
  connect({ baseUrl: "http://api.example", token: async () => "token", onUnauthenticated: () => undefined });
  vi.stubGlobal("fetch", (address: string) => answer(new URL(address)));
  vi.stubGlobal("scrollTo", () => undefined);
  Element.prototype.scrollTo = function scrollTo(this: Element, options?: ScrollToOptions | number) {
    this.scrollTop = typeof options === "object" ? (options.top ?? 0) : 0;
    this.dispatchEvent(new Event("scroll"));
  };
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  // jsdom lays nothing out; the rows in sight are those of a tree this high.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(300);
  vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(1_000_000);
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("the group tree", () => {
  it("opens a single organization by itself, and asks for nothing below it", async () => {
    show();
    const acme = await row("Acme");
    await row("platform");
    expect(acme.getAttribute("aria-expanded")).toBe("true");
    expect(acme.getAttribute("aria-level")).toBe("1");
    const platform = await row("platform");
    expect(platform.getAttribute("aria-level")).toBe("2");
    expect(platform.getAttribute("aria-posinset")).toBe("2");
    expect(platform.getAttribute("aria-setsize")).toBe("3");
    expect(asked.filter((url) => url.searchParams.has("uidp.children_of"))).toHaveLength(1);
  });

  it("is walked by the keyboard, and takes the focus at one row only", async () => {
    show();
    await row("platform");
    const user = userEvent.setup();
    await user.tab();
    expect(focused()).toBe("Acme");
    await user.keyboard("{ArrowDown}{ArrowDown}");
    expect(focused()).toBe("platform");
    await user.keyboard("{ArrowRight}");
    await row("runtime");
    await user.keyboard("{ArrowRight}");
    expect(focused()).toBe("runtime");
    await user.keyboard("{ArrowLeft}");
    expect(focused()).toBe("platform");
    await user.keyboard("{ArrowLeft}");
    await waitFor(() => expect(screen.queryByRole("treeitem", { name: "runtime" })).toBeNull());
    await user.keyboard("{End}");
    expect(focused()).toBe("teams");
    await user.keyboard("{Home}te");
    expect(focused()).toBe("teams");
    expect(screen.getAllByRole("treeitem").filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
    await user.tab();
    expect(focused()).toBe("After");
    await user.tab({ shift: true });
    expect(focused()).toBe("teams");
  });

  it("chooses a group with Enter and with the space bar", async () => {
    const { router } = show();
    await row("platform");
    const user = userEvent.setup();
    await user.tab();
    await user.keyboard("{ArrowDown}{Enter}");
    await waitFor(() => expect(router.state.location.search).toEqual({ group: APPS }));
    await user.keyboard("{ArrowDown} ");
    await waitFor(() => expect(router.state.location.search).toEqual({ group: PLATFORM }));
    expect(focused()).toBe("platform");
  });

  it("takes the expander from a group that proves empty, and keeps the focus there", async () => {
    show();
    const apps = await row("apps");
    expect(apps.getAttribute("aria-expanded")).toBe("false");
    const user = userEvent.setup();
    await user.tab();
    await user.keyboard("{ArrowDown}{ArrowRight}");
    await waitFor(() => expect(apps.hasAttribute("aria-expanded")).toBe(false));
    expect(focused()).toBe("apps");
  });

  it("keeps the focus inside when the row that has it goes away", async () => {
    show();
    const user = userEvent.setup();
    await user.click((await row("platform")).querySelector("span") as HTMLElement);
    const runtime = await row("runtime");
    act(() => runtime.focus());
    await user.click((await row("platform")).querySelector("span") as HTMLElement);
    await waitFor(() => expect(screen.queryByRole("treeitem", { name: "runtime" })).toBeNull());
    expect(focused()).toBe("platform");
  });

  it("remembers what was open", async () => {
    const first = show(undefined, "ada");
    const user = userEvent.setup();
    await row("platform");
    await user.tab();
    await user.keyboard("{ArrowDown}{ArrowDown}{ArrowRight}");
    await row("runtime");
    first.unmount();
    show(undefined, "ada");
    await row("runtime");
  });

  it("opens the way to a deep link, all its levels at once", async () => {
    world.groups.push(...Array.from({ length: 150 }, (_, index) => ({ uid: child(ROOT, 1000 + index), name: `n-${index}` })));
    show(RUNTIME);
    const runtime = await row("runtime");
    expect(runtime.getAttribute("aria-selected")).toBe("true");
    expect(runtime.getAttribute("aria-level")).toBe("3");
    expect(asksFor("uidp.ancestors_of", RUNTIME)).toBe(1);
    expect(asksFor("uidp.children_of", ROOT)).toBe(1);
    expect(asksFor("uidp.children_of", PLATFORM)).toBe(1);
    // "platform" is the 152nd of its siblings: beyond the first page, in a place nobody knows yet.
    const platform = await row("platform");
    expect(platform.hasAttribute("aria-posinset")).toBe(false);
    expect(platform.getAttribute("aria-setsize")).toBe("153");
    const [gap] = await screen.findAllByRole("treeitem", { name: "Load more in Acme, 52 left" });
    await userEvent.setup().click(gap as HTMLElement);
    await waitFor(() => expect(screen.queryByRole("treeitem", { name: /Load more/ })).toBeNull());
    expect((await row("platform")).getAttribute("aria-posinset")).toBe("152");
  });

  it("offers another try where a level fails", async () => {
    world.fails = (address) => address.includes(`children_of=${encodeURIComponent(PLATFORM)}`);
    show();
    const user = userEvent.setup();
    await row("platform");
    await user.tab();
    await user.keyboard("{ArrowDown}{ArrowDown}{ArrowRight}");
    const failed = await row(/Could not load the folders in platform/);
    world.fails = () => false;
    await user.keyboard("{ArrowDown}");
    expect(document.activeElement).toBe(failed);
    await user.keyboard("{Enter}");
    await row("runtime");
    // The failed row is gone; the focus is at the group that it belonged to.
    expect(focused()).toBe("platform");
  });

  it("has a root for each distant folder of somebody without an organization", async () => {
    world.groups = [
      { uid: PLATFORM, name: "platform" },
      { uid: RUNTIME, name: "runtime" },
      { uid: child(FAR, 7), name: "audits" },
    ];
    world.bound = [PLATFORM, child(FAR, 7)];
    show();
    expect((await row("audits")).getAttribute("aria-level")).toBe("1");
    expect((await row("platform")).getAttribute("aria-level")).toBe("1");
    expect((await row("platform")).getAttribute("aria-setsize")).toBe("2");
    expect(screen.queryByRole("treeitem", { name: "runtime" })).toBeNull();
  });

  it("finds those roots also where bindings cannot be read", async () => {
    world.groups = [
      { uid: PLATFORM, name: "platform" },
      { uid: RUNTIME, name: "runtime" },
      { uid: child(FAR, 7), name: "audits" },
    ];
    world.bound = undefined;
    show();
    await row("audits");
    await row("platform");
    expect(screen.queryByRole("treeitem", { name: "runtime" })).toBeNull();
  });

  it("says so when there is nothing to see", async () => {
    world.groups = [];
    world.bound = [];
    show();
    expect(await screen.findByText("No group that you may see.")).toBeTruthy();
  });
});
