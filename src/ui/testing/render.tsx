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

import { theme } from "../theme";

// Mantine is slow to render in jsdom on a busy machine; no test here measures time.
configure({ asyncUtilTimeout: 60_000 });

/** Stubs the APIs that jsdom lacks. Every element is 800 by 600 px, so that a list has room for rows. */
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

/** Renders inside the required providers: Mantine, and a router with this content as its only page. */
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
