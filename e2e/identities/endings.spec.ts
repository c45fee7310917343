import type { Identity } from "platform-contract/iam/identities";
import type { Ending, MachineOwner } from "platform-contract/iam/notices";
import type { RoleBinding } from "platform-contract/iam/role-bindings";

import type { Api } from "../api";
import { bind, identityOf } from "../bindings";
import { expect, test } from "../fixtures";
import { hasNoFinding } from "../lists";
import { folder, param } from "../records";

const DAY = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY).toISOString();
const KEYS = JSON.stringify({
  keys: [
    { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", kid: "1", use: "sig" },
  ],
});
const endingsOf = async (api: Api): Promise<string[]> => {
  const { endings = [] } = await api.get<{ endings?: Ending[] }>("/notices/v1/endings");
  return endings.map(({ topic, name }) => `${topic.replace("NOTICE_TOPIC_", "")} ${name}`);
};
const ownerOf = async (api: Api, machine: string): Promise<string | undefined> => {
  const path = `/notices/v1/machineOwners?identity=${machine}`;
  const { machineOwners = [] } = await api.get<{ machineOwners?: MachineOwner[] }>(path);
  return machineOwners[0]?.ownerUid;
};

test("a machine's owner is told before its keys end, and what is extended leaves the list", async ({
  person,
  signUp,
}) => {
  const { page, api, organization, open } = person;
  const team = await folder(api, organization, "team");
  const other = await signUp();
  await bind(api, organization, other, "owner");
  const who = await identityOf(api, other);
  const machine = await api.post<Identity>(`/iam/v2/identities/${team.uid}`, {
    name: "scanner",
    staticKeys: { issuer: "https://keys.example", subject: "s", issuerKeys: KEYS, expirationTime: inDays(5) },
  });
  const { roles } = await api.get<{ roles: { uid: string }[] }>("/iam/v2/roles?name=viewer");
  const role = await api.post<RoleBinding>(`/iam/v2/roleBindings/${team.uid}`, {
    identityUid: machine.uid,
    roleUid: roles[0]?.uid,
    expirationTime: inDays(9),
  });

  await open(`identities/${param(machine)}`);
  const facts = page.locator("dl").first();
  await expect(facts).toContainText("The owners of team");
  await page.getByRole("button", { name: "Change owner" }).click();
  const form = page.getByRole("dialog", { name: "Owner of scanner" });
  await form.getByRole("searchbox", { name: "Find people" }).fill(other.email);
  await form.getByRole("button", { name: other.email }).click();
  await form.getByRole("button", { name: "Set owner" }).click();
  await expect(form).toBeHidden();
  await expect(facts.getByRole("link", { name: other.email.split("@")[0] ?? "" })).toBeVisible();
  expect(await ownerOf(api, machine.uid)).toBe(who);
  expect(await endingsOf(api)).toEqual([]);
  await open("endings");
  await expect(page.getByRole("heading", { name: "Nothing of yours ends within 30 days" })).toBeVisible();

  await other.open(`role-bindings?group=${param(organization)}`);
  const bell = other.page.getByRole("button", { name: "2 things of yours end soon" });
  await bell.click();
  const told = other.page.getByRole("dialog", { name: "What ends soon" });
  await expect(told.getByRole("listitem")).toHaveText([
    /scanner.*Keys in team, end in 5 days/,
    /viewer.*Role of scanner in team, ends in 9 days/,
  ]);
  await hasNoFinding(other.page, "header");
  await told.getByRole("link", { name: "Show all" }).click();
  await expect(other.page.getByRole("heading", { level: 1, name: "What ends soon" })).toBeVisible();
  await hasNoFinding(other.page, "main");
  await expect(other.page.getByRole("link", { name: "scanner", exact: true })).toHaveAttribute(
    "href",
    new RegExp(`/identities/${param(machine)}`),
  );
  await other.page.getByRole("link", { name: "Extend: viewer" }).click();
  const change = other.page.getByRole("dialog", { name: "Change role" });
  await change.getByRole("button", { name: "No end" }).click();
  await change.getByRole("button", { name: "Save changes" }).click();
  await expect(change).toBeHidden();
  await expect(other.page.getByRole("button", { name: "1 thing of yours ends soon" })).toBeVisible();
  expect(await endingsOf(other.api)).toEqual(["KEYS scanner"]);
  expect((await api.get<RoleBinding>(`/iam/v2/roleBindings/${role.uid}`)).expirationTime).toBeUndefined();
});

test("who leaves hands over their machines in the same job", async ({ person, signUp, problems }) => {
  // Nobody here sees a person without a role.
  problems.allow(/status of 403 .*\/iam\/v2\/identities\//);
  const { page, api, organization, open } = person;
  const [leaver, heir] = [await signUp(), await signUp()];
  await bind(api, organization, leaver, "viewer");
  await bind(api, organization, heir, "viewer");
  const machine = await api.post<Identity>(`/iam/v2/identities/${organization.uid}`, {
    name: "scanner",
    staticKeys: { issuer: "https://keys.example", subject: "s", issuerKeys: KEYS, expirationTime: inDays(5) },
  });
  const [from, to] = [await identityOf(api, leaver), await identityOf(api, heir)];
  await api.patch(`/notices/v1/machineOwners/${machine.uid}`, { ownerUid: from });

  await open(`identities/${param(from)}`);
  await page.getByRole("button", { name: "Remove all access" }).click();
  const dialog = page.getByRole("dialog", { name: /^Remove all access of / });
  const machines = dialog.getByRole("group", { name: /owns 1 machine: scanner/ });
  await machines.getByRole("searchbox", { name: "Find people" }).fill(heir.email);
  await machines.getByRole("button", { name: heir.email }).click();
  await dialog.getByRole("button", { name: "Remove 1 role binding" }).click();
  await expect(page.getByRole("heading", { name: "Changed 2 roles, invites and machines" })).toBeVisible();
  expect(await ownerOf(api, machine.uid)).toBe(to);
  const { roleBindings = [] } = await api.get<{ roleBindings?: RoleBinding[] }>(
    `/iam/v2/roleBindings?identity=${from}`,
  );
  expect(roleBindings).toEqual([]);
});

test("what one gets mail about is kept", async ({ person, problems }) => {
  problems.allow(/status of 400 .*\/notices\/v1\/settings/);
  const { page, open, api } = person;
  await open("preferences");
  const mail = page.getByRole("region", { name: "Mail about what ends" });
  await mail.getByRole("checkbox", { name: "Syncs of repos" }).uncheck();
  await mail.getByLabel("No mail until").fill("2020-01-01");
  await mail.getByRole("button", { name: "Save" }).click();
  await expect(mail.getByText("Must be in the future.")).toBeVisible();
  await expect(mail.getByRole("checkbox", { name: "Syncs of repos" })).not.toBeChecked();
  const day = inDays(20).slice(0, 10);
  await mail.getByLabel("No mail until").fill(day);
  await mail.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved what you get mail about")).toBeVisible();
  expect(await api.get("/notices/v1/settings")).toMatchObject({
    mutedTopics: ["NOTICE_TOPIC_SYNCS"],
    pauseEndTime: `${day}T00:00:00.000Z`,
  });
});
