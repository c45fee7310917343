import type { GroupInvite } from "platform-contract/iam/group-invites";
import type { ExternalGroupRoleMapping } from "platform-contract/iam/external-group-role-mappings";

import { askFirst } from "./deletions";
import { expect, type Faulty } from "./faulty";
import { param } from "./records";
import type { Write } from "./writes";

const VIEWER = "63921b2c44617e3f2603851537be0123af4a57d7";

/** Writes of invites. Invites have no name, so the invitee's email tells them apart. */
export async function inviteWrites({ page, api, organization: { uid: group }, open }: Faulty) {
  await open(`group-invites?group=${group}`);
  await expect(
    page.getByRole("heading", { name: /^No invites (?:here yet|in this folder or below)$/ }),
  ).toBeVisible();
  const root = "/iam/v2/groupInvites";
  const path = new RegExp(`^${root}(/|$)`);
  const link = (email: string) =>
    page.getByRole("table", { name: "Invites" }).getByRole("link", { name: email, exact: true });
  const count = async (email: string) => {
    const { groupInvites = [] } = await api.get<{ groupInvites?: GroupInvite[] }>(
      `${root}?uidp.children_of=${group}&page_size=200`,
    );
    return groupInvites.filter((one) => one.email === email).length;
  };
  const choose = async (email: string, action: string) => {
    await page.getByRole("button", { name: `Actions for viewer for ${email}`, exact: true }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };
  return (round: number): Write[] => {
    const [first, second] = [`first-${round}@example.com`, `second-${round}@example.com`] as const;
    return [
      {
        verb: "create",
        method: "POST",
        path,
        async begin() {
          await page.getByRole("button", { name: "Create invite" }).first().click();
          const dialog = page.getByRole("dialog", { name: "Create invite" });
          await dialog.getByLabel("Role").selectOption({ label: "viewer (built-in)" });
          await dialog.getByLabel("Email").fill(first);
          return { dialog, submit: dialog.getByRole("button", { name: "Create invite" }) };
        },
        effects: () => count(first),
        async shown() {
          // Shows the link, or says that the response with the link was lost.
          const dialog = page.getByRole("dialog", { name: "Invite created" });
          await expect(dialog).toBeVisible();
          const copied = dialog.getByLabel("I've copied it");
          if (await copied.isVisible()) await copied.check();
          await dialog.getByRole("button", { name: "Done" }).click();
          await expect(link(first)).toBeVisible();
        },
      },
      {
        verb: "update",
        method: "PATCH",
        path,
        async begin() {
          await choose(first, "Edit");
          const dialog = page.getByRole("dialog", { name: "Edit invite" });
          await dialog.getByLabel("Email").fill(second);
          return { dialog, submit: dialog.getByRole("button", { name: "Save changes" }) };
        },
        effects: () => count(second),
        shown: () => expect(link(second)).toBeVisible(),
      },
      {
        verb: "delete",
        method: "DELETE",
        path,
        async begin() {
          await askFirst(page, api);
          await choose(second, "Delete");
          const dialog = page.getByRole("dialog", { name: `Delete invite viewer for ${second}?` });
          return { dialog, submit: dialog.getByRole("button", { name: "Delete invite" }) };
        },
        effects: async () => ((await count(second)) === 0 ? 1 : 0),
        shown: () => expect(link(second)).toBeHidden(),
      },
    ];
  };
}

/** Writes of group mappings, on the page of their identity provider. */
export async function mappingWrites({ page, api, organization, open }: Faulty) {
  const provider = await api.post<{ uid: string }>(`/iam/v2/identityProviders/${organization.uid}`, {
    name: "Acme SSO",
    defaultRole: VIEWER,
    oidc: { issuer: "https://idp.example", clientId: "platform", pkceEnabled: true },
  });
  await open(`identity-providers/${param(provider.uid)}`);
  await expect(page.getByText("No group mappings yet")).toBeVisible();
  const root = "/iam/v2/externalGroupRoleMappings";
  const path = new RegExp(`^${root}(/|$)`);
  const count = async (group: string, roleUid: string) => {
    const { externalGroupRoleMappings = [] } = await api.get<{
      externalGroupRoleMappings?: ExternalGroupRoleMapping[];
    }>(`${root}?identityProviderUid=${provider.uid}&page_size=200`);
    const of = externalGroupRoleMappings.filter((one) => one.externalGroupId === group);
    return of.filter((one) => roleUid === "" || (one.roleUid === VIEWER) === (roleUid === VIEWER)).length;
  };
  const choose = async (group: string, action: string) => {
    await page.getByRole("button", { name: `Actions for ${group}`, exact: true }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };
  return (round: number): Write[] => {
    const group = `engineers-${round}`;
    const row = page
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader", { name: group, exact: true }) });
    return [
      {
        verb: "create",
        method: "POST",
        path,
        async begin() {
          await page.getByRole("button", { name: "Map groups" }).click();
          const dialog = page.getByRole("dialog", { name: "Map groups" });
          await dialog.getByRole("textbox", { name: "Groups" }).fill(group);
          await dialog.getByLabel("Role").selectOption({ label: "viewer (built-in)" });
          return { dialog, submit: dialog.getByRole("button", { name: "Map groups" }) };
        },
        effects: () => count(group, VIEWER),
        shown: () => expect(row).toContainText("viewer"),
      },
      {
        verb: "update",
        method: "PATCH",
        path,
        async begin() {
          await choose(group, "Change role");
          const dialog = page.getByRole("dialog", { name: "Change role" });
          await dialog.getByLabel("Role").selectOption({ label: "editor (built-in)" });
          return { dialog, submit: dialog.getByRole("button", { name: "Save changes" }) };
        },
        effects: () => count(group, "another"),
        shown: () => expect(row).toContainText("editor"),
      },
      {
        verb: "delete",
        method: "DELETE",
        path,
        async begin() {
          await choose(group, "Delete mapping");
          const dialog = page.getByRole("dialog", { name: /^Delete group mapping/ });
          return { dialog, submit: dialog.getByRole("button", { name: "Delete group mapping" }) };
        },
        effects: async () => ((await count(group, "")) === 0 ? 1 : 0),
        shown: () => expect(row).toBeHidden(),
      },
    ];
  };
}
