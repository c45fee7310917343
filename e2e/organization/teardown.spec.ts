import type { Group } from "platform-contract/iam/groups";
import type { Identity } from "platform-contract/iam/identities";
import type { Role } from "platform-contract/iam/roles";

import { bindTo, identityOf } from "../bindings";
import { expect, gate, test } from "../fixtures";
import { folder, param } from "../records";
import { makeRepo } from "../repos";

test(
  "a folder with everything in it is emptied and deleted by its plan, which stops where it must",
  gate,
  async ({ person, problems }) => {
    problems.allow(/status of 400 .*\/iam\/v2\/(roles|groups)\//);
    problems.allow(/status of 40[34] /);
    const { page, api, organization, open } = person;
    const team = await folder(api, organization, "team");
    const inner = await folder(api, team, "inner");
    const deep = await folder(api, inner, "deep");
    const role = await api.post<Role>(`/iam/v2/roles/${team.uid}`, {
      name: "pusher",
      capabilities: ["CAP_REPO_LIST"],
    });
    const ci = await api.post<Identity>(`/iam/v2/identities/${inner.uid}`, {
      name: "ci",
      claimMatch: { issuer: "https://issuer.example", subject: "ci" },
    });
    await api.post(`/iam/v2/roleBindings/${deep.uid}`, { identityUid: ci.uid, roleUid: role.uid });
    await bindTo(api, inner, await identityOf(api, person), "owner");
    const repo = await makeRepo(person, { name: "nginx" }, deep.uid);
    await api.post(`/registry/v2/tags/${repo.uid}`, { name: "1", digest: `sha256:${"a".repeat(64)}` });

    for (const name of ["accepted.v1", "unread.v1"])
      await api.post(`/iam/v2/terms/${team.uid}`, { name, label: name, url: "https://example.com/terms" });
    await api.post(`/iam/v2/terms/${team.uid}`, { documentIds: ["accepted.v1"] });

    await open(`groups/${param(team)}`);
    await page.getByRole("button", { name: "More actions for team" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete with contents…" }).click();
    const plan = page.getByRole("dialog", { name: "Plan to delete folder team" });
    await expect(plan.getByRole("list", { name: "Order" }).getByRole("listitem")).toHaveText([
      "1 terms document",
      "1 repo, with 1 tag",
      "2 role bindings",
      "1 role",
      "1 identity",
      "2 folders",
      "the folder team, with 1 accepted terms document",
    ]);
    const steps = plan.getByRole("table", { name: "Steps" }).getByRole("link");
    await expect(steps).toHaveText([
      "nginx",
      "ci, pusher",
      "pusher",
      "ci",
      "deep",
      /owner/,
      "inner",
      "unread.v1",
      "team",
    ]);
    // Another user grants the role again, so that it cannot be deleted when its turn comes.
    const late = await api.post<Identity>(`/iam/v2/roleBindings/${team.uid}`, {
      identityUid: ci.uid,
      roleUid: role.uid,
    });
    const deletes: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "DELETE") deletes.push(new URL(request.url()).pathname.split("/")[3] ?? "");
    });
    const run = plan.getByRole("button", { name: "Delete 9 records" });
    await run.click();
    await expect(plan.getByText("Type team to confirm.")).toBeVisible();
    await plan.getByLabel(/Type the name/).fill("team");
    await run.click();

    const job = page.getByRole("region", { name: /^Delet/ });
    await expect(job).toContainText("pusher: ");
    await expect(job).toHaveAccessibleName("Deleting 9 records (paused)");
    await expect(job).toContainText("2 of 9 deleted");
    expect((await api.get<Role>(`/iam/v2/roles/${role.uid}`)).name).toBe("pusher");
    await api.delete(`/iam/v2/roleBindings/${late.uid}`);
    await job.getByRole("button", { name: "Resume" }).click();
    await expect(job).toContainText("9 of 9 deleted");
    expect(deletes).toEqual([
      "repos",
      "roleBindings",
      "roles",
      "roles",
      "identities",
      "groups",
      "roleBindings",
      "groups",
      "terms",
      "groups",
    ]);
    for (const list of [
      "iam/v2/groups",
      "iam/v2/identities",
      "iam/v2/roles",
      "iam/v2/roleBindings",
      "iam/v2/terms",
      "registry/v2/repos",
    ])
      expect(await api.get(`/${list}?uidp.descendants_of=${team.uid}`), list).toMatchObject({
        totalCount: "0",
      });
    await expect(page.getByRole("heading", { name: organization.name, level: 1 })).toBeVisible();
    const { groups = [] } = await api.get<{ groups?: Group[] }>("/iam/v2/groups");
    expect(groups.map(({ uid }) => uid)).toEqual([organization.uid]);
  },
);
