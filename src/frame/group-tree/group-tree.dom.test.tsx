import { act, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { beginWorld, endWorld, focused, row, rowNow, show } from "./testing-tree";
import { APPS, child, FAR, PLATFORM, ROOT, RUNTIME, type TreeWorld } from "./testing-world";

vi.setConfig({ testTimeout: 60_000 });

let world: TreeWorld;
beforeEach(() => {
  world = beginWorld();
});
afterEach(endWorld);

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
    expect(world.asked.filter((url) => url.searchParams.has("uidp.children_of"))).toHaveLength(1);
  });

  it("shows no expander where it knows that a group holds no others, by one request for the organization", async () => {
    show();
    const apps = await row("apps");
    await waitFor(() => expect(apps.hasAttribute("aria-expanded")).toBe(false));
    expect((await row("platform")).getAttribute("aria-expanded")).toBe("false");
    expect((await row("teams")).hasAttribute("aria-expanded")).toBe(false);
    expect(world.times("uidp.descendants_of", ROOT)).toBe(1);
    expect(world.asked.filter((url) => url.searchParams.has("uidp.descendants_of"))).toHaveLength(1);
  });

  it("is navigated with the keyboard, with one tab stop", async () => {
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
    await waitFor(() => expect(rowNow("runtime")).toBeNull());
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

  it("removes the expander of an empty group, and keeps the focus", async () => {
    // Without the descendants, the tree cannot tell that it is empty before it is opened.
    world.fails = (address) => address.includes("descendants_of");
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
    await waitFor(() => expect(rowNow("runtime")).toBeNull());
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
    expect(await row("runtime")).toBeDefined();
  });

  it("expands all ancestors of a deep link at once", async () => {
    world.groups.push(
      ...Array.from({ length: 150 }, (_, index) => ({ uid: child(ROOT, 1000 + index), name: `n-${index}` })),
    );
    show(RUNTIME);
    const runtime = await row("runtime");
    expect(runtime.getAttribute("aria-selected")).toBe("true");
    expect(runtime.getAttribute("aria-level")).toBe("3");
    expect(world.times("uidp.ancestors_of", RUNTIME)).toBe(1);
    expect(world.times("uidp.children_of", ROOT)).toBe(1);
    expect(world.times("uidp.children_of", PLATFORM)).toBe(1);
    // "platform" is the 152nd of its siblings: beyond the first page, so its position is not known yet.
    const platform = await row("platform");
    expect(platform.hasAttribute("aria-posinset")).toBe(false);
    expect(platform.getAttribute("aria-setsize")).toBe("153");
    const [gap] = await screen.findAllByRole("treeitem", { name: "Load more in Acme, 52 left" });
    const user = userEvent.setup();
    await user.click(gap as HTMLElement);
    await waitFor(() => expect(screen.queryByRole("treeitem", { name: /Load more/ })).toBeNull());
    // The first new group replaced the "Load more" row and received its focus.
    expect(document.activeElement?.getAttribute("aria-posinset")).toBe("101");
    await user.keyboard("{End}{ArrowUp}{ArrowLeft}");
    expect(focused()).toBe("platform");
    expect(document.activeElement?.getAttribute("aria-posinset")).toBe("152");
  });

  it("offers a retry if a level fails", async () => {
    world.fails = (address) => address.includes(`children_of=${encodeURIComponent(PLATFORM)}`);
    show();
    const user = userEvent.setup();
    await row("platform");
    await user.tab();
    await user.keyboard("{ArrowDown}{ArrowDown}{ArrowRight}");
    const failed = await row(/Couldn't load the folders in platform/);
    world.fails = () => false;
    await user.keyboard("{ArrowDown}");
    expect(document.activeElement).toBe(failed);
    await user.keyboard("{Enter}");
    await row("runtime");
    // The failed row is gone; the focus is on the group that it belonged to.
    expect(focused()).toBe("platform");
  });

  it("counts down Retry-After, then retries by itself", async () => {
    const below = `children_of=${encodeURIComponent(PLATFORM)}`;
    world.fails = (address) => address.includes(below);
    world.wait = 60;
    show();
    const user = userEvent.setup();
    await row("platform");
    await user.tab();
    await user.keyboard("{ArrowDown}{ArrowDown}{ArrowRight}");
    const failed = await row(/^Couldn't load the folders in platform\. Retrying in \d+ s$/);
    await user.keyboard("{ArrowDown}");
    expect(document.activeElement).toBe(failed);
    expect(world.times("uidp.children_of", PLATFORM)).toBe(1);
    world.fails = () => false;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    await row("runtime");
    expect(world.times("uidp.children_of", PLATFORM)).toBe(2);
    expect(focused()).toBe("platform");
    vi.useRealTimers();
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
    expect(rowNow("runtime")).toBeNull();
  });

  it("points to the list of groups where bindings cannot be read", async () => {
    world.groups = [
      { uid: PLATFORM, name: "platform" },
      { uid: RUNTIME, name: "runtime" },
      { uid: child(FAR, 7), name: "audits" },
    ];
    world.bound = [];
    show();
    expect(await screen.findByText("Your folders are in the list of groups.")).toBeTruthy();
  });

  it("says so when there is nothing to see", async () => {
    world.groups = [];
    world.bound = [];
    show();
    expect(await screen.findByText("No groups yet")).toBeTruthy();
  });
});
