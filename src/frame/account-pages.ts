import { useRouteContext } from "@tanstack/react-router";

import { usePerson } from "~/auth/use-session";

/** Address of the pages about one's account; undefined if another provider than this service's signs people in. */
export function useAccountPages(): string | undefined {
  const { config } = useRouteContext({ from: "__root__" });
  const { issuer } = usePerson();
  // Only this service's own identity provider is known to have such pages.
  return issuer === `${config.apiBaseUrl}/oidc` ? `${issuer}/account` : undefined;
}
