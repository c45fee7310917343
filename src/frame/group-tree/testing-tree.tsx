import { QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { cleanup, configure, render, screen } from "@testing-library/react";
import { vi } from "vitest";

import { connect } from "~/api/client/client";
import { createQueryClient } from "~/api/queries/query-client";
import type { Session } from "~/auth/session";
import { SessionContext } from "~/auth/use-session";

import { GroupTree } from "./group-tree";
import { TreeWorld } from "./testing-world";

// `defaultHidden`: jsdom cannot tell whether a style sheet hides a row, and checking costs seconds. The timeout is for
// slow machines; no test waits for it.
configure({ defaultHidden: true, asyncUtilTimeout: 20_000 });

/** Sets up a fake service, and enough of a layout for a virtual list; `endWorld` undoes it. */
export function beginWorld(): TreeWorld {
  const world = new TreeWorld();
  sessionStorage.clear();
  connect({ baseUrl: "http://api.example", token: async () => "token", onUnauthenticated: () => undefined });
  vi.stubGlobal("fetch", (address: string) => world.answer(new URL(address)));
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
  // jsdom has no layout; this height determines the visible rows.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(300);
  vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(1_000_000);
  return world;
}

export function endWorld(): void {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
}

let people = 0;

/** By default, renders for a new user each time, with no groups opened yet. */
export function show(current?: string, owner = `person ${(people += 1)}`) {
  const person = { issuer: "https://issuer.example", subject: "ada", expiresAt: Infinity };
  const session = { person, ending: undefined, subscribe: () => () => undefined } as unknown as Session;
  const root = createRootRoute({
    component: () => (
      <>
        <GroupTree
          label="Groups"
          owner={owner}
          current={current}
          linkTo={(uid) => ({ to: "/", search: { group: uid } as never })}
        />
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

export const row = (name: string | RegExp): Promise<HTMLElement> => screen.findByRole("treeitem", { name });
export const rowNow = (name: string): HTMLElement | null => screen.queryByRole("treeitem", { name });
/** The text of the focused element. */
export const focused = (): string | null | undefined => document.activeElement?.textContent;
