import { useRouteContext } from "@tanstack/react-router";
import { useRef, type MouseEvent, type ReactNode, type RefObject } from "react";

import { Announcer } from "~/ui/feedback/announcer";
import { ToastRegion } from "~/ui/feedback/toast";
import { onFirstUse } from "~/ui/on-first-interaction";
import { loadLayers } from "~/ui/overlay/load-layers";
import { TooltipHost } from "~/ui/overlay/tooltip";
import { BulkDeleteHost } from "~/frame/bulk-delete/host";
import { DeletionsHost } from "~/frame/undo/host";

import { BreadcrumbBar } from "~/shell/navigation/breadcrumb-bar";
import { ConnectionBanner } from "~/shell/errors/connection-banner";
import { ConnectionGuard } from "~/shell/errors/connection-guard";
import { useAccountPages } from "~/shell/session/use-account-pages";
import { Brand, Header } from "./header";
import { Navigation } from "~/shell/navigation/navigation";
import { NavigationDrawer } from "~/shell/navigation/navigation-drawer";
import { useOrganizationName } from "~/shell/navigation/organization-switcher";
import { Progress } from "./progress";
import { Screen } from "./screen";
import { SessionEnded } from "~/shell/session/session-ended";
import { SessionEnding } from "~/shell/session/session-ending";
import styles from "./shell.module.css";
import { Terms } from "~/shell/session/terms";
import { useArrival } from "./use-arrival";
import { useNavigation } from "~/shell/navigation/use-navigation";

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
      <ConnectionBanner />
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
      <BulkDeleteHost />
      <DeletionsHost />
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
