import { useEffect, useState, type ComponentType, type ReactNode } from "react";

import { usePartWaits } from "./waiting-parts";

export type OnDemand<P> = ComponentType<P> & {
  /** Fetches the code ahead of time: on hover, or when the browser is idle. */
  readonly preload: () => void;
};

/**
 * A component whose code loads on first use: what opens over the page (menus, dialogs, forms), and heavy parts of it.
 * Renders `waiting` until then, or nothing. Unlike `lazy()` under Suspense, it shows loaded code immediately: React
 * delays content that suspended by 300 ms, which a menu cannot afford.
 */
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode = null,
): OnDemand<P> {
  let Loaded: ComponentType<P> | undefined;
  let pending: Promise<void> | undefined;
  const fetch = () => {
    pending ??= load().then(
      (component) => {
        Loaded = component;
      },
      (error: unknown) => {
        // The next use tries again.
        pending = undefined;
        throw error;
      },
    );
    return pending;
  };
  function Shown(props: P) {
    const [, setState] = useState<object>();
    usePartWaits(!Loaded);
    useEffect(() => {
      if (Loaded) return;
      // Thrown during render, so that the route's error view shows it: most likely a new version was deployed.
      const fail = (error: unknown) =>
        setState(() => {
          throw error;
        });
      fetch().then(() => setState({}), fail);
    }, []);
    return Loaded ? <Loaded {...props} /> : waiting;
  }
  return Object.assign(Shown, { preload: () => void fetch().catch(() => undefined) });
}
