import type { Tag } from "platform-contract/registry/tags";

import { askFirst } from "./deletions";
import { expect, type Faulty } from "./faulty";
import { param } from "./records";
import { createRepo, table } from "./tags";
import type { Subject } from "./writes";

/** Two images whose digests differ at the beginning, which is the part that the list shows. */
const [BEFORE, AFTER] = ["a", "b"].map((digit) => `sha256:${digit.repeat(64)}`) as [string, string];

/** Writes on the list of tags of a new repo. Moving a tag is another create. */
export async function tagSubjects({
  page,
  api,
  organization,
  open,
}: Faulty): Promise<(name: string) => Subject> {
  const repo = await createRepo(api, organization.uid);
  await open(`tags?repo=${param(repo)}`);
  await expect(page.getByRole("heading", { name: "No tags to show here" })).toBeVisible();
  return (name) => {
    const root = "/registry/v2/tags";
    const path = new RegExp(`^${root}/`);
    const link = page.getByRole("link", { name, exact: true });
    const row = table(page).getByRole("row").filter({ has: link });
    const found = async () => {
      const query = new URLSearchParams({ "uidp.children_of": repo.uid, name });
      return (await api.get<{ tags?: Tag[] }>(`${root}?${query}`)).tags ?? [];
    };
    const put = async (digest: string) => {
      await page.getByRole("button", { name: "Create tag" }).first().click();
      const dialog = page.getByRole("dialog", { name: "Create tag" });
      await dialog.getByRole("textbox", { name: "Name", exact: true }).fill(name);
      await dialog.getByRole("textbox", { name: "Digest", exact: true }).fill(digest);
      // The label depends on whether the tag exists, which the form has looked up by now, or not.
      return { dialog, submit: dialog.getByRole("button", { name: /^(?:Create|Move) tag$/ }) };
    };
    const write = { method: "POST", path } as const;
    return {
      name,
      uids: async () => (await found()).map(({ uid }) => uid),
      create: () => ({
        ...write,
        verb: "create",
        begin: () => put(BEFORE),
        effects: async () => (await found()).length,
        shown: () => expect(row).toBeVisible(),
      }),
      rename: () => ({
        ...write,
        verb: "update",
        begin: () => put(AFTER),
        effects: async () => (await found()).filter(({ digest }) => digest === AFTER).length,
        shown: () => expect(row).toContainText("sha256:bbbb"),
      }),
      delete: () => ({
        verb: "delete",
        method: "DELETE",
        path,
        async begin() {
          await askFirst(page, api);
          await page.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
          await page.getByRole("menuitem", { name: "Delete" }).click();
          const dialog = page.getByRole("dialog", { name: `Delete tag ${name}?` });
          await expect(dialog.getByText("No other tag points to it.")).toBeVisible();
          return { dialog, submit: dialog.getByRole("button", { name: "Delete tag" }) };
        },
        effects: async () => ((await found()).length === 0 ? 1 : 0),
        shown: () => expect(row).toBeHidden(),
      }),
    };
  };
}
