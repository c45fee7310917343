import type { Group } from "~/contract/iam/groups";

import type { Api } from "./api";
import type { Person } from "./fixtures";

/** Returns the uid of a person, which a binding needs. */
export const identityOf = async (api: Api, { api: { who } }: Person): Promise<string> =>
  (
    await api.get<{ uid: string }>(
      `/iam/v2/identities:lookupIdentity?issuer=${encodeURIComponent(who.issuer)}&subject=${who.subject}`,
    )
  ).uid;

/** Grants a person a built-in role at a group. */
export async function bind(api: Api, group: Group, person: Person, role: string): Promise<void> {
  await bindTo(api, group, await identityOf(api, person), role);
}

/** The same for any identity, by uid. */
export async function bindTo(api: Api, group: Group, identityUid: string, role: string): Promise<void> {
  const { roles } = await api.get<{ roles: { uid: string }[] }>(`/iam/v2/roles?name=${role}`);
  await api.post(`/iam/v2/roleBindings/${group.uid}`, { identityUid, roleUid: roles[0]?.uid });
}
