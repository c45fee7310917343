import type { Repo } from "platform-contract/registry/repos";

import { expect, gate, test } from "../fixtures";
import { param } from "../records";
import { makeRepo } from "../repos";

test(
  "an edit shows what it changes; after somebody else saved, each field is chosen from theirs and one's own",
  gate,
  async ({ person }) => {
    const { page, api, open } = person;
    const repo = await makeRepo(person, { name: "web", description: "Serves pages", aliases: ["httpd"] });
    await open(`repos/${param(repo)}?drawer=edit`);
    const drawer = page.getByRole("dialog", { name: "Edit repo" });
    await drawer.getByLabel("Description").fill("Serves all pages");
    await drawer.getByLabel("Catalog tier").selectOption("Application");
    await drawer.getByLabel("Aliases").fill("httpd\nnginx");
    await expect(drawer.getByRole("heading", { name: "What changes 3" })).toBeVisible();
    const rows = drawer.getByRole("table").getByRole("row");
    await expect(rows.nth(1)).toHaveText(/^Description.*Serves pages.*Serves all pages$/);
    await expect(rows.nth(3)).toHaveText(/^Aliases.*nginx.*1 unchanged$/);

    await api.patch(`/registry/v2/repos/${repo.uid}?updateMask=description,activeTags`, {
      description: "Theirs",
      activeTags: ["1.27"],
    });
    await drawer.getByRole("button", { name: "Save changes" }).click();
    await drawer.getByRole("button", { name: "Compare" }).click();
    const merge = drawer.getByRole("group", { name: "Their changes and yours" });
    const of = (label: string) => merge.getByRole("group", { name: label });
    await expect(of("Description")).toHaveText(
      /When you opened it.*Serves pages.*Theirs.*Theirs.*Yours.*Serves all pages/,
    );
    await expect(of("Active tags").getByRole("radio", { name: /^Theirs/ })).toBeChecked();
    await expect(of("Aliases").getByRole("radio", { name: /^Yours/ })).toBeChecked();
    await of("Description")
      .getByRole("radio", { name: /^Theirs/ })
      .check();
    await expect(drawer.getByLabel("Description")).toHaveValue("Theirs");
    const sent = page.waitForRequest((request) => request.method() === "PATCH");
    await drawer.getByRole("button", { name: "Save changes" }).click();
    expect(new URL((await sent).url()).searchParams.get("updateMask")).toBe("aliases,catalogTier");
    await expect(drawer).toBeHidden();
    expect(await api.get<Repo>(`/registry/v2/repos/${repo.uid}`)).toMatchObject({
      description: "Theirs",
      catalogTier: "CATALOG_TIER_APPLICATION",
      activeTags: ["1.27"],
      aliases: ["httpd", "nginx"],
    });
  },
);
