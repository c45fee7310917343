import type { Group } from "platform-contract/iam/groups";

import type { Api } from "./api";
import { unique, type Person } from "./fixtures";

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

/** The name of a built-in role, the uid of one, or the capabilities of one that is created at the group. */
type Granted = string | readonly string[];

async function roleAt(api: Api, group: Place, role: Granted): Promise<string> {
  if (typeof role === "string") return role;
  const body = { name: unique("role"), capabilities: role };
  return (await api.post<{ uid: string }>(`/iam/v2/roles/${group.uid}`, body)).uid;
}

/** Grants a person a role at a group, which they accept. */
export async function bind(api: Api, group: Place, person: Person, granted: Granted): Promise<void> {
  const identityUid = await identityOf(api, person);
  const role = await roleAt(api, group, granted);
  if (!/^[0-9a-f]{40}/.test(role)) await bindTo(api, group, identityUid, role);
  else await api.post(`/iam/v2/roleBindings/${group.uid}`, { identityUid, roleUid: role });
  await acceptOffers(person);
}

/** The same for any identity, by uid. */
export async function bindTo(api: Api, group: Place, identityUid: string, role: string): Promise<void> {
  const { roles } = await api.get<{ roles: { uid: string }[] }>(`/iam/v2/roles?name=${role}`);
  await api.post(`/iam/v2/roleBindings/${group.uid}`, { identityUid, roleUid: roles[0]?.uid });
}
