import { useRouteContext } from "@tanstack/react-router";

/** True if the service stands before a registry and looks into it. */
export const useRegistryConnected = (): boolean =>
  useRouteContext({ strict: false, select: ({ config }) => config?.registryImages === true });
