import type { Page } from "@playwright/test";

import type { Group } from "platform-contract/iam/groups";
import type { Identity } from "platform-contract/iam/identities";

import type { Api } from "./api";

/** One identity of the preview. */
export const row = (page: Page, name: string) => page.getByRole("listitem", { name, exact: true });

/** The identities of a group that replace another one, by name. */
export async function migrated(api: Api, group: Pick<Group, "uid">): Promise<Identity[]> {
  const { identities } = await api.get<{ identities: Identity[] }>(
    `/iam/v2/identities?uidp.children_of=${group.uid}&order_by=name&page_size=200`,
  );
  return identities.filter(({ description = "" }) => description.includes("Replaces identity "));
}

/** Which role an identity has where. */
export async function grantsOf(api: Api, identity: string | undefined): Promise<string[]> {
  const { roleBindings = [] } = await api.get<{
    roleBindings?: { uid: string; role: { uid: string } }[];
  }>(`/iam/v2/roleBindings?identity=${identity}&page_size=200`);
  return roleBindings.map(({ uid, role }) => `${role.uid} at ${uid.replace(/\/?[^/]+$/, "")}`).toSorted();
}
