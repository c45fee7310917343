import { useRouteContext } from "@tanstack/react-router";

/** True if the service counts what is pulled. */
export const useUsageKnown = (): boolean =>
  useRouteContext({ strict: false, select: ({ config }) => config?.registryUsage === true });
