import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { createRoot } from "react-dom/client";

import "~/ui/fonts.css";
import "~/ui/theme.css";
import "~/ui/layout/global.css";
import { ToastRegion } from "~/ui/feedback/toast";
import { applyColorScheme } from "~/ui/layout/early-color-scheme";
import { ThemeProvider } from "~/ui/layout/theme-provider";
import { TooltipHost } from "~/ui/overlay/tooltip";

import { Gallery } from "./gallery";

applyColorScheme();

// Links of the parts lead nowhere: every address of this router is the gallery.
const router = createRouter({
  routeTree: createRootRoute({ component: () => <Outlet />, notFoundComponent: Gallery }),
  history: createMemoryHistory({ initialEntries: ["/"] }),
});

createRoot(document.getElementById("root")!).render(
  <ThemeProvider>
    <RouterProvider router={router} />
    <ToastRegion />
    <TooltipHost />
  </ThemeProvider>,
);
