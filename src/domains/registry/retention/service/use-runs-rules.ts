import { useRouteContext } from "@tanstack/react-router";

/** True if the service runs retention rules. */
export const useRunsRules = (): boolean =>
  useRouteContext({ strict: false, select: ({ config }) => config?.retention === true });
