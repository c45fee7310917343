import { useRouteContext } from "@tanstack/react-router";

/** True if config.json says that the service has an audit log; nothing requests it otherwise. */
export const useHasAuditLog = (): boolean =>
  useRouteContext({ strict: false, select: ({ config }) => config?.auditLog === true });
