import { MantineProvider } from "@mantine/core";
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { act, configure, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { vi } from "vitest";

import { theme } from "../theme";

// Rendering all of Mantine in jsdom is slow on a busy machine; nothing here measures time.
vi.setConfig({ testTimeout: 30_000 });
configure({ asyncUtilTimeout: 10_000 });

/** What jsdom lacks and the kit asks for. Every element is 800 by 600 px, so that a list has room for rows. */
export function stubBrowser(): void {
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  window.matchMedia = (query: string) =>
    ({
      matches: false,
      media: query,
      addEventListener() {},
      removeEventListener() {},
    }) as unknown as MediaQueryList;
  Element.prototype.scrollIntoView = () => undefined;
  window.scrollTo = () => undefined;
  for (const [name, value] of Object.entries({
    offsetWidth: 800,
    clientWidth: 800,
    offsetHeight: 600,
    clientHeight: 600,
  })) {
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, value });
  }
}

/** Renders inside the providers that the kit stands on: Mantine, and a router whose only page it is. */
export async function renderInApp(content: ReactNode, address = "/") {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <Outlet />, notFoundComponent: () => content }),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  await act(() => router.load());
  const view = render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <RouterProvider router={router} />
    </MantineProvider>,
  );
  return { ...view, router };
}
