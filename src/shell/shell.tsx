import { useRouteContext, useRouter } from "@tanstack/react-router";
import { useRef, type MouseEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect } from "react";

import { Announcer, announce } from "~/ui/feedback/announcer";
import { ToastRegion } from "~/ui/feedback/toast";
import { onFirstUse } from "~/ui/on-first-interaction";
import { loadLayers } from "~/ui/overlay/load-layers";
import { TooltipHost } from "~/ui/overlay/tooltip";
import { BulkDeleteHost } from "~/frame/bulk-delete/host";
import { DeletionsHost } from "~/frame/undo/host";
import { BreadcrumbBar } from "~/shell/navigation/breadcrumb-bar";
import { ConnectionGuard } from "~/shell/errors/connection-guard";
import { useAccountPages } from "~/frame/account-pages";
import { Navigation } from "~/shell/navigation/navigation";
import { NavigationDrawer } from "~/shell/navigation/navigation-drawer";
import { useOrganizationName } from "~/shell/navigation/organization-switcher";
import { SessionEnded } from "~/shell/session/session-ended";
import { SessionEnding } from "~/shell/session/session-ending";
import { Terms } from "~/shell/session/terms";
import { useNavigation } from "~/shell/navigation/use-navigation";
import { screenTitle, useScreenTitle } from "~/frame/scope/title";

import { thePast } from "~/api/client/moment";

import { Banners } from "./banners";
import { Brand, Header } from "./header";
import { Progress } from "./progress";
import { Screen } from "./screen";
import styles from "./shell.module.css";

/**
 * Does what the browser does on a page load when another screen appears: focuses its heading, announces its title, and
 * sets the tab's title. A change of search parameters stays on the same screen, and does nothing.
 */
function useArrival(main: RefObject<HTMLElement | null>, suffix: readonly (string | undefined)[]): void {
  const router = useRouter();
  const screen = useScreenTitle();
  const arriving = useRef(false);

  useLayoutEffect(
    () =>
      router.subscribe("onRendered", ({ pathChanged, fromLocation }) => {
        const element = main.current;
        if (!pathChanged || !fromLocation || !element) return;
        // If the title depends on data that is still loading, announce it later.
        const named = screenTitle();
        if (named !== "") announce(named);
        arriving.current = named === "";
        // A form that opened with the screen already has the focus.
        if (document.activeElement?.closest("dialog, [role=dialog]")) return;
        focusHeading(element);
      }),
    [router, main],
  );

  // The overview of an organization has the same title as the organization.
  const title = [...new Set([screen, ...suffix])].filter(Boolean).join(" - ");
  useEffect(() => {
    document.title = title;
    if (!arriving.current || screen === "") return;
    arriving.current = false;
    announce(screen);
    // The placeholder heading of a loading record is gone, and the focus with it.
    const { activeElement, body } = document;
    if (main.current && (activeElement === body || activeElement === main.current))
      focusHeading(main.current);
  });
}

/** An address with a fragment has scrolled to that. */
const focusHeading = (main: HTMLElement): void =>
  (main.querySelector<HTMLElement>("h1") ?? main).focus({ preventScroll: window.location.hash !== "" });

const ExactCopies = onFirstUse(async () => (await loadLayers()).ExactCopies);

interface ArrivalProps {
  readonly main: RefObject<HTMLElement | null>;
  readonly product: string;
}

/** Renders nothing: what changes with each screen must not render the shell again. */
function Arrival({ main, product }: ArrivalProps): null {
  useArrival(main, [useOrganizationName(), product]);
  return null;
}

/** Everything around a screen. Subscribes to nothing that a navigation changes. */
export function Shell(): ReactNode {
  const { config } = useRouteContext({ from: "__root__" });
  const accountPages = useAccountPages();
  const main = useRef<HTMLElement>(null);
  const { wide, beside, drawer, toggle, close } = useNavigation();

  const skip = (event: MouseEvent) => {
    // By script: a bare #main would navigate to the page's base URL.
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <div className={styles["shell"]}>
      <a href="#main" className={styles["skip"]} onClick={skip}>
        Skip to content
      </a>
      <Progress />
      <Header wide={wide} open={beside} onToggle={toggle} accountPages={accountPages} />
      <Banners readOnly={config.readOnly} announcement={config.announcement} />
      {wide ? (
        beside && (
          <aside className={styles["navigation"]} aria-label="Side bar">
            <Brand />
            <div className={styles["navigationBody"]}>
              <Navigation />
            </div>
          </aside>
        )
      ) : (
        <NavigationDrawer asked={drawer} onClose={close} />
      )}
      <main ref={main} id="main" tabIndex={-1} className={styles["main"]}>
        {wide ? null : <BreadcrumbBar />}
        <div className={styles["screen"]}>
          <ConnectionGuard>
            <Screen />
          </ConnectionGuard>
        </div>
      </main>
      {/* What waits goes on when the page shows now again. */}
      {!thePast() && (
        <>
          <BulkDeleteHost />
          <DeletionsHost />
        </>
      )}
      <Terms />
      <SessionEnded />
      <SessionEnding />
      <ToastRegion />
      <TooltipHost />
      <ExactCopies />
      <Announcer />
      <Arrival main={main} product={config.title} />
    </div>
  );
}
