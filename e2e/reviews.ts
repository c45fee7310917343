import { expect, type Page } from "@playwright/test";

import type { Group } from "platform-contract/iam/groups";

import type { Api } from "./api";
import { createMachines } from "./bulk-delete";

interface Uid {
  readonly uid: string;
}

export interface Held extends Uid {
  readonly identity: { readonly uid: string; readonly name: string };
  readonly role: { readonly uid: string; readonly name: string };
}

export const roleNamed = async (api: Api, name: string): Promise<string> =>
  (await api.get<{ roles: Uid[] }>(`/iam/v2/roles?name=${name}`)).roles[0]?.uid ?? "";

/** Creates machines in a group and gives each a role there. Returns the uids of the role bindings. */
export async function boundMachines(
  api: Api,
  group: Pick<Group, "uid">,
  { count, role, word = "m" }: { readonly count: number; readonly role: string; readonly word?: string },
): Promise<string[]> {
  const machines = await createMachines(api, group.uid, count, word);
  const roleUid = await roleNamed(api, role);
  const made: string[] = [];
  for (let from = 0; from < count; from += 25) {
    const requests = machines.slice(from, from + 25).map((identityUid) => ({ roleBinding: { identityUid } }));
    // oxlint-disable-next-line no-await-in-loop -- 25 are the most in one request
    const { roleBindings } = await api.post<{ roleBindings: Uid[] }>("/iam/v2/roleBindings:batchCreate", {
      parent: group.uid,
      roleUid,
      requests,
    });
    made.push(...roleBindings.map(({ uid }) => uid));
  }
  return made;
}

/** Who has which role in a group and below, by name: `{ "m-000": "viewer" }`. */
export async function rolesIn(api: Api, group: Pick<Group, "uid">): Promise<Record<string, string>> {
  const { roleBindings = [] } = await api.get<{ roleBindings?: Held[] }>(
    `/iam/v2/roleBindings?uidp.descendants_of=${group.uid}&page_size=200`,
  );
  return Object.fromEntries(roleBindings.map(({ identity, role }) => [identity.name, role.name]));
}

/** Starts the review of the scope in the address. */
export async function startReview(page: Page): Promise<void> {
  await page.getByRole("button", { name: "New review" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Start review" }).click();
  await expect(card(page)).toBeFocused();
}

export const card = (page: Page) => page.getByRole("region", { name: /^Role binding \d+ of \d+$/ });

export const step = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Steps of the review" }).getByRole("link", { name, exact: true });
