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

/** Accepts the access that others gave this person. */
export async function acceptOffers({ api }: Person): Promise<void> {
  const { offers } = await api.get<{ offers: { groupUid: string }[] }>("/iam/v2/groups:offered");
  for (const { groupUid } of offers) await api.post(`/iam/v2/groups/${groupUid}:acceptAccess`, {});
}

type Place = Pick<Group, "uid">;

/** Grants a person a role at a group, which they accept. `role` is the name of a built-in role or the uid of one. */
export async function bind(api: Api, group: Place, person: Person, role: string): Promise<void> {
  const identityUid = await identityOf(api, person);
  if (!/^[0-9a-f]{40}/.test(role)) await bindTo(api, group, identityUid, role);
  else await api.post(`/iam/v2/roleBindings/${group.uid}`, { identityUid, roleUid: role });
  await acceptOffers(person);
}

/** The same for any identity, by uid. */
export async function bindTo(api: Api, group: Place, identityUid: string, role: string): Promise<void> {
  const { roles } = await api.get<{ roles: { uid: string }[] }>(`/iam/v2/roles?name=${role}`);
  await api.post(`/iam/v2/roleBindings/${group.uid}`, { identityUid, roleUid: roles[0]?.uid });
}
