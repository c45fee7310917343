import { isWithin, parentOf } from "platform-contract/aip";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { useRefusal } from "~/frame/permissions/use-can";
import type { Endpoint } from "platform-contract/endpoint";

/** Why the user can't use an endpoint in a group; also where they have no role, so that nothing is known of it. */
export function useRefusalIn(): (endpoint: Pick<Endpoint, "access">, group: string) => string | undefined {
  const { state, bindings } = useCurrentUser();
  const refusal = useRefusal();
  return (endpoint, group) =>
    state !== "known" || bindings.some(({ uid }) => isWithin(group, parentOf(uid)))
      ? refusal(endpoint, group)
      : "You have no role there";
}
