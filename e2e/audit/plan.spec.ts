import { readFile } from "node:fs/promises";

import { bind } from "../bindings";
import { createMachines } from "../bulk-delete";
import { expect, fault, ownService, test } from "../faulty";
import { folder } from "../records";

interface Row {
  uid?: string;
  name?: string;
  parent?: string;
  description?: string;
}

test("an edited snapshot is planned, applied, and then nothing differs", async ({ person }, testInfo) => {
  const { page, api, organization, open } = person;
  const [leaver = ""] = await createMachines(api, organization.uid, 2);
  const team = await folder(api, organization, "team");
  await open(`snapshots?group=${organization.uid}`);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Take a snapshot" }).click();
  const file = testInfo.outputPath("state.json");
  await (await downloading).saveAs(file);
  const state = JSON.parse(await readFile(file, "utf8")) as {
    groups: Row[];
    identities: Row[];
    roleBindings: (Row & { identity?: object; role?: object })[];
  };
  for (const group of state.groups) if (group.uid === team.uid) group.description = "Builds images";
  state.groups.push({ name: "runtime", parent: `${organization.name}/team` });
  state.identities = state.identities.filter(({ uid }) => uid !== leaver);
  state.identities.push({
    name: "ci",
    parent: `${organization.name}/team/runtime`,
    claimMatch: { issuer: "https://token.example", subject: "ci" },
  } as Row);
  state.roleBindings.push({
    parent: `${organization.name}/team/runtime`,
    identity: { name: "ci" },
    role: { name: "owner" },
  });
  const buffer = Buffer.from(JSON.stringify(state));
  const chosen = { name: "state.json", mimeType: "application/json", buffer };

  await page.getByRole("link", { name: "Plan changes from files" }).click();
  await expect(page.getByRole("heading", { name: "Plan", level: 1 })).toBeVisible();
  const input = page.getByLabel("State or plan file");
  await input.setInputFiles(chosen);
  await expect(page.getByText("3 to create, 1 to change, 1 to delete.")).toBeVisible();
  const steps = page.getByRole("table", { name: "Steps" });
  await expect(steps.getByRole("row", { name: /team\/runtime\/ci.*Create.*identity/ }).first()).toBeVisible();
  await page.getByRole("button", { name: "Check without applying" }).click();
  await expect(page.getByText(/The service would do each of 3 steps that need no other one/)).toBeVisible();

  // Somebody else is faster.
  await api.post(`/iam/v2/groups/${organization.uid}`, { name: "newcomer" });
  await page.getByRole("button", { name: "Apply 5 steps" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Apply 5 steps" }).click();
  await expect(page.getByText("3 to create, 1 to change, 2 to delete.")).toBeVisible();
  expect(await api.get(`/iam/v2/identities/${leaver}`)).toMatchObject({ uid: leaver });

  await page.getByRole("button", { name: "Apply 6 steps" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Apply 6 steps" }).click();
  await expect(page.getByRole("region", { name: "Done 6 steps" })).toBeVisible({ timeout: 30_000 });
  await page.getByRole("button", { name: "Read again" }).click();
  await expect(page.getByText("Nothing would change: it is as the files say.")).toBeVisible();
  const { groups } = await api.get<{ groups: Row[] }>(
    `/iam/v2/groups?uidp.descendants_of=${organization.uid}&order_by=name`,
  );
  expect(groups.map(({ name }) => name)).toEqual(["runtime", "team"]);
  const runtime = groups.find(({ name }) => name === "runtime")?.uid ?? "";
  const bindings = `/iam/v2/roleBindings?uidp.children_of=${runtime}`;
  expect(await api.get(bindings)).toMatchObject({ roleBindings: [{ identity: { name: "ci" } }] });
});

test("what is no state, and a folder without its head, are refused with a sentence", async ({
  person,
  problems,
}) => {
  problems.allow(/status of 403 /);
  const { page, open } = person;
  await open("plan");
  const input = page.getByLabel("State or plan file");
  const file = (text: string) => ({
    name: "x.json",
    mimeType: "application/json",
    buffer: Buffer.from(text),
  });
  await input.setInputFiles(file("{"));
  await expect(page.getByRole("alert")).toContainText(/neither JSON nor YAML: .* at line 1, column 2\.$/);
  await input.setInputFiles(file('{"format":"other"}'));
  await expect(page.getByRole("alert")).toContainText("This file isn't a snapshot.");
  const uid = "0".repeat(40);
  const scope = { uid, name: "elsewhere" };
  await input.setInputFiles(
    file(JSON.stringify({ format: "platform-console-snapshot", version: 2, scope, groups: [scope] })),
  );
  await expect(page.getByRole("alert")).toContainText("You can't see elsewhere, or it isn't there any more.");
});

test(
  "a plan is not applied, and not called out of date, where a last look fails",
  ownService,
  async ({ faulty }) => {
    const { page, api, organization, open, proxy } = faulty;
    const plan = {
      format: "platform-console-snapshot",
      version: 2,
      scope: { uid: organization.uid, name: organization.name },
      missing: [
        { kind: "roleBindings", why: "not of this file" },
        { kind: "identities", why: "not of this file" },
      ],
      groups: [
        { uid: organization.uid, name: organization.name },
        { name: "runtime", parent: organization.uid },
      ],
    };
    await open("plan");
    const buffer = Buffer.from(JSON.stringify(plan));
    await page
      .getByLabel("State or plan file")
      .setInputFiles({ name: "state.json", mimeType: "application/json", buffer });
    await page.getByRole("button", { name: "Apply 1 step" }).click();
    const rule = proxy.rule({ method: "GET", path: /\/registry\/v2\/repos/ }, fault.status(403));
    await page.getByRole("dialog").getByRole("button", { name: "Apply 1 step" }).click();
    await expect(page.getByText(/^Nothing was done/)).toBeVisible();
    await expect(page.getByText(/out of date/)).toBeHidden();
    const children = `/iam/v2/groups?uidp.children_of=${organization.uid}`;
    expect(await api.get(children)).toMatchObject({ totalCount: "0" });
    rule.remove();
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("region", { name: "Done 1 step" })).toBeVisible();
    expect(await api.get(children)).toMatchObject({ totalCount: "1" });
  },
);

test("who may do none of the steps is told before applying, in the words of a role", async ({
  person,
  signUp,
}) => {
  const { api, organization } = person;
  const viewer = await signUp();
  await bind(api, organization, viewer, "viewer");
  const { page, open } = viewer;
  await open("plan");
  const state = {
    format: "platform-console-snapshot",
    version: 2,
    scope: { uid: organization.uid, name: organization.name },
    missing: ["roleBindings", "identities", "roles", "repos"].map((kind) => ({
      kind,
      why: "not of this file",
    })),
    groups: [
      { uid: organization.uid, name: organization.name },
      { name: "runtime", parent: organization.uid },
    ],
  };
  await page.getByLabel("State or plan file").setInputFiles({
    name: "state.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(state)),
  });
  await expect(page.getByText("Your role doesn't allow 1 step.")).toBeVisible();
  await expect(
    page.getByRole("table", { name: "Steps" }).getByText(/^You need permission to create/),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Apply 1 step" })).toHaveAccessibleDescription(
    "Your role allows none of these steps",
  );
});
