import { parentOf, rootOf } from "platform-contract/aip";
import { roleUidOf } from "platform-contract/iam/role-bindings";
import { advisories } from "platform-contract/vulnerabilities/advisories";
import { useCurrentUser, type CurrentUser } from "~/frame/permissions/current-user";

/** Of which organizations this user sees every advisory: those apply to all their folders, without being listed there. */
export interface SeenAdvisories {
  readonly state: CurrentUser["state"];
  readonly organizations: readonly string[];
}

export function useSeenAdvisories(): SeenAdvisories {
  const { state, bindings, roles } = useCurrentUser();
  const listing = new Set(
    roles
      .filter(({ capabilities = [] }) =>
        advisories.list.access.needs.every((one) => capabilities.includes(one)),
      )
      .map(({ uid }) => uid),
  );
  const places = bindings
    .filter((binding) => listing.has(roleUidOf(binding)))
    .map(({ uid }) => parentOf(uid))
    .filter((place) => place !== "" && parentOf(place) === "");
  return { state, organizations: [...new Set(places)].toSorted() };
}

/** Why advisories that apply to these places can be hidden from the user; undefined if none are. */
export function whyHidden(
  { state, organizations }: SeenAdvisories,
  places: readonly string[],
): string | undefined {
  if (state === "unknown") return "your roles couldn't be read, so they may hide advisories";
  return state === "known" && places.some((place) => !organizations.includes(rootOf(place)))
    ? "your role hides the advisories of an organization above your folders"
    : undefined;
}
