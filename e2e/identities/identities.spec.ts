import { exportJWK, generateKeyPair, SignJWT } from "jose";

import type { Identity } from "platform-contract/iam/identities";

import { address } from "../api";
import { expect, gate, test } from "../fixtures";
import { param } from "../records";

test(
  "an identity for GitHub Actions is made with the subject that cannot be impersonated",
  gate,
  async ({ person }) => {
    const { page, api, organization, open } = person;
    await open(`identities?group=${organization.uid}`);
    await page.getByRole("button", { name: "Create identity" }).first().click();
    const drawer = page.getByRole("dialog", { name: "Create identity" });
    await drawer.getByRole("radio", { name: /GitHub Actions/ }).check();
    await drawer.getByRole("textbox", { name: "Name", exact: true }).fill("ci-release");
    await drawer.getByRole("textbox", { name: "Owner", exact: true }).fill("acme");
    await drawer.getByLabel("Owner ID").fill("1234");
    await drawer.getByRole("textbox", { name: "Repository", exact: true }).fill("app");
    await drawer.getByLabel("Repository ID").fill("5678");
    await drawer.getByRole("button", { name: "Create identity" }).click();
    await expect(drawer).toBeHidden();
    await page.getByRole("table", { name: "Identities" }).getByRole("link", { name: "ci-release" }).click();
    await expect(page.getByRole("heading", { name: "ci-release", level: 1 })).toBeVisible();
    await expect(
      page.getByText("repo:acme@1234/app@5678:ref:refs/heads/main", { exact: true }),
    ).toBeVisible();
    const { identities } = await api.get<{ identities: Identity[] }>("/iam/v2/identities?name=ci-release");
    expect(identities[0]?.claimMatch).toEqual({
      issuer: "https://token.actions.githubusercontent.com",
      subject: "repo:acme@1234/app@5678:ref:refs/heads/main",
    });
    const files = page.getByRole("region", { name: "Get a token" });
    await expect(files.getByLabel(".github/workflows/platform.yml", { exact: true })).toContainText(
      'branches: ["main"]',
    );
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await files.getByRole("button", { name: "Copy .github/workflows/platform.yml" }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`/sts/exchange?identity=${identities[0]?.uid}`);
  },
);

test("the command on an identity's page gives its workload a token", gate, async ({ person }) => {
  const { page, api, organization, open } = person;
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const key = { ...(await exportJWK(publicKey)), alg: "ES256" };
  const issuer = "https://cluster.example";
  const identity = await api.post<Identity>(`/iam/v2/identities/${organization.uid}`, {
    name: "cluster",
    staticKeys: { issuer, subject: "job", issuerKeys: JSON.stringify({ keys: [key] }) },
  });
  await open(`identities/${param(identity.uid)}`);
  const command = await page.getByLabel("command", { exact: true }).textContent();
  const [, url = ""] = /"(http[^"]*)"/.exec(command ?? "") ?? [];
  const own = await new SignJWT({ iss: issuer, sub: "job", aud: new URL(address()).href.replace(/\/$/, "") })
    .setProtectedHeader({ alg: "ES256" })
    .setExpirationTime("1m")
    .sign(privateKey);
  const answer = await fetch(url, { method: "POST", headers: { authorization: `Bearer ${own}` } });
  expect(answer.status).toBe(200);
  const { token } = (await answer.json()) as { token: string };
  const found = await fetch(new URL(`iam/v2/identities/${identity.uid}`, address()), {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await found.json()).toMatchObject({ uid: identity.uid, name: "cluster" });
});

test("a violation that only the server can find stands under its field, and nothing typed is lost @long", async ({
  person,
  problems,
}) => {
  problems.allow(/status of 400 .*\/iam\/v2\/identities\//);
  const { page, api, organization, open } = person;
  await open(`identities?group=${organization.uid}&drawer=create`);
  const drawer = page.getByRole("dialog", { name: "Create identity" });
  await drawer.getByRole("radio", { name: /OIDC claims/ }).check();
  await drawer.getByRole("textbox", { name: "Name", exact: true }).fill("everybody");
  await drawer.getByLabel("Description").fill("Typed once, and once only");
  await drawer.getByRole("textbox", { name: "Issuer", exact: true }).fill(api.who.issuer);
  await drawer.getByLabel("Subject matches").selectOption("by pattern");
  await drawer.getByLabel("Subject pattern").fill(".*");
  await drawer.getByRole("button", { name: "Create identity" }).click();
  const issuer = drawer.getByRole("textbox", { name: "Issuer", exact: true });
  await expect(issuer).toBeFocused();
  await expect(issuer).toHaveAttribute("aria-invalid", "true");
  await expect(drawer.getByText("People of this service cannot be matched by claims")).toBeVisible();
  await expect(drawer.getByLabel("Description")).toHaveValue("Typed once, and once only");

  await issuer.fill("https://issuer.example");
  await drawer.getByRole("button", { name: "Create identity" }).click();
  await expect(drawer).toBeHidden();
  await expect(page.getByRole("link", { name: "everybody" })).toBeVisible();
});

test("an edit sends what was changed and nothing else, and keeps what the console does not know @long", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  const made = await api.post<Identity>(`/iam/v2/identities/${organization.uid}`, {
    name: "deployer",
    description: "before",
    claimMatch: {
      issuer: "https://issuer.example",
      subject: "deployer",
      claims: { environment: "production" },
    },
  });
  await open(`identities/${param(made)}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const drawer = page.getByRole("dialog", { name: "Edit identity" });
  await drawer.getByRole("textbox", { name: "Subject", exact: true }).fill("deployer-2");
  const patched = page.waitForRequest((request) => request.method() === "PATCH");
  await drawer.getByRole("button", { name: "Save changes" }).click();
  const request = await patched;
  expect(new URL(request.url()).searchParams.get("updateMask")).toBe("claimMatch.subject");
  expect(request.postDataJSON()).toEqual({ claimMatch: { subject: "deployer-2" } });
  await expect(drawer).toBeHidden();
  await expect(page.getByText("deployer-2", { exact: true })).toBeVisible();
  const now = await api.get<Identity>(`/iam/v2/identities/${made.uid}`);
  expect(now).toMatchObject({
    name: "deployer",
    description: "before",
    claimMatch: {
      issuer: "https://issuer.example",
      subject: "deployer-2",
      claims: { environment: "production" },
    },
  });
});

test("an identity is deleted with its bindings, after its name was typed", async ({ person }) => {
  const { page, api, organization, open } = person;
  const made = await api.post<Identity>(`/iam/v2/identities/${organization.uid}`, {
    name: "leaver",
    claimMatch: { issuer: "https://issuer.example", subject: "leaver" },
  });
  const { roles } = await api.get<{ roles: { uid: string }[] }>("/iam/v2/roles?name=viewer");
  await api.post(`/iam/v2/roleBindings/${organization.uid}`, {
    identityUid: made.uid,
    roleUid: roles[0]?.uid,
  });
  await open(`identities?group=${organization.uid}`);
  await page.getByRole("button", { name: "Actions for leaver" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const confirm = page.getByRole("dialog", { name: "Delete identity leaver?" });
  await expect(confirm.getByText("1 role binding is removed too")).toBeVisible();
  await confirm.getByLabel(/Type the name/).fill("leaver");
  await confirm.getByRole("button", { name: "Delete identity" }).click();
  await expect(confirm).toBeHidden();
  await expect(page.getByRole("link", { name: "leaver" })).toBeHidden();
  expect((await api.refusal("GET", `/iam/v2/identities/${made.uid}`)).http).toBe(404);
});

test("leaving a form that was typed into asks first, and a saved one lets go @long", async ({ person }) => {
  const { page, organization, open } = person;
  await open(`identities?group=${organization.uid}&drawer=create`);
  const drawer = page.getByRole("dialog", { name: "Create identity" });
  await drawer.getByRole("textbox", { name: "Name", exact: true }).fill("half-typed");
  await page.keyboard.press("Escape");
  const ask = page.getByRole("dialog", { name: /Discard/ });
  await ask.getByRole("button", { name: /Keep/ }).click();
  await expect(drawer.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("half-typed");
  await page.keyboard.press("Escape");
  await ask.getByRole("button", { name: /Discard/ }).click();
  await expect(drawer).toBeHidden();
  // The next Back returns to the previous screen, not to the same page again.
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Groups" }).click();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Identities" }).click();
  await page.getByRole("button", { name: "Create identity" }).first().click();
  await drawer.getByRole("button", { name: "Cancel" }).click();
  await expect(page).not.toHaveURL(/drawer/);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Groups", level: 1 })).toBeVisible();
});

test("a list of a group that is gone says so, rather than that there is nothing in it yet @long", async ({
  person,
  problems,
}) => {
  problems.allow(/status of 404 .*\/iam\/v2\/groups\//);
  const { page, api, organization, open } = person;
  const team = await api.post<{ uid: string }>(`/iam/v2/groups/${organization.uid}`, { name: "team" });
  await api.delete(`/iam/v2/groups/${team.uid}`);
  for (const list of ["identities", "repos", "tags"]) {
    await open(`${list}?group=${param(team)}`);
    await expect(page.getByRole("heading", { name: "This group wasn't found" }), list).toBeVisible();
  }
});

test("a preset writes the rule, the type of an identity changes later, and both are said before @long", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  await open(`identities?group=${organization.uid}&drawer=create`);
  const drawer = page.getByRole("dialog", { name: "Create identity" });
  await drawer.getByRole("radio", { name: /Other CI or cloud/ }).check();
  await drawer.getByRole("textbox", { name: "Name", exact: true }).fill("nightly");
  await drawer.getByLabel("Provider").selectOption("GitLab CI");
  await drawer.getByLabel("Project path").fill("acme");
  await drawer.getByRole("button", { name: "Create identity" }).click();
  await expect(drawer.getByText("Enter the group and the project, such as acme/app")).toBeVisible();
  await drawer.getByLabel("Project path").fill("acme/app");
  await drawer.getByLabel("Branch or tag").fill("release/*");
  const pattern = "project_path:acme/app:ref_type:branch:ref:release/[^:]*";
  await expect(drawer.getByText(pattern)).toBeVisible();
  await drawer.getByRole("button", { name: "Create identity" }).click();
  await expect(drawer).toBeHidden();
  const stored = async () =>
    (await api.get<{ identities: Identity[] }>("/iam/v2/identities?name=nightly")).identities[0];
  const made = await stored();
  expect(made?.claimMatch).toEqual({ issuer: "https://gitlab.com", subjectPattern: pattern });

  await open(`identities/${param(made ?? { uid: "" })}?drawer=edit`);
  const edit = page.getByRole("dialog", { name: "Edit identity" });
  await edit.getByLabel("Type").selectOption("AWS");
  await expect(edit.getByText("Type changes from OIDC claims to AWS")).toBeVisible();
  await edit.getByLabel("AWS account").fill("123456789012");
  await edit.getByRole("textbox", { name: "ARN", exact: true }).fill("arn:aws:iam::123456789012:role/build");
  await edit.getByLabel("User ID pattern").fill("AROAEXAMPLE:.*");
  await edit.getByRole("button", { name: "Save changes" }).click();
  await expect(edit).toBeHidden();
  const now = await stored();
  expect(now?.claimMatch).toBeUndefined();
  expect(now?.awsIdentity).toEqual({
    awsAccount: "123456789012",
    arn: "arn:aws:iam::123456789012:role/build",
    userIdPattern: "AROAEXAMPLE:.*",
  });
});

test("what an identity can do is listed by group, with the role bindings that let it", async ({ person }) => {
  const { page, api, organization, open } = person;
  const team = await api.post<{ uid: string }>(`/iam/v2/groups/${organization.uid}`, { name: "team" });
  const made = await api.post<Identity>(`/iam/v2/identities/${organization.uid}`, {
    name: "puller",
    claimMatch: { issuer: "https://issuer.example", subject: "puller" },
  });
  for (const [group, role] of [
    [organization.uid, "viewer"],
    [team.uid, "owner"],
  ] as const) {
    const { roles } = await api.get<{ roles: { uid: string }[] }>(`/iam/v2/roles?name=${role}`);
    await api.post(`/iam/v2/roleBindings/${group}`, { identityUid: made.uid, roleUid: roles[0]?.uid });
  }
  await open(`identities/${param(made)}`);
  await page.getByRole("link", { name: "Permissions" }).click();
  const inTeam = page.getByRole("region", { name: "team" });
  await expect(inTeam.getByText(`inherited from organization ${organization.name}`).first()).toBeVisible();
  await page.getByLabel("Can", { exact: true }).selectOption({ label: "Create repos (repo.create)" });
  await expect(page).toHaveURL(/can=CAP_REPO_CREATE/);
  await expect(page.getByRole("region", { name: organization.name })).toBeHidden();
  await expect(inTeam.getByRole("row", { name: /repo\.create.*owner granted here/ })).toBeVisible();
  await expect(page.getByText("There may be more")).toBeHidden();
});

test("people say which company they are from, in their account, and it is shown with them", async ({
  person,
}) => {
  const { page, organization, open } = person;
  await open(`people?group=${organization.uid}`);
  await page.getByRole("button", { name: /^Your account/ }).click();
  await page.getByRole("link", { name: "Preferences" }).click();
  await page.getByLabel("Company", { exact: true }).fill("Meridian Freight");
  await page.getByLabel("Job title").fill("Engineer");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved company and job title").first()).toBeVisible();
  await page.goBack();
  await page.getByRole("table", { name: "People" }).getByRole("link").first().click();
  await expect(page.getByText("Meridian Freight", { exact: true })).toBeVisible();
  await page.reload();
  await page.getByRole("button", { name: /^Your account/ }).click();
  await page.getByRole("link", { name: "Preferences" }).click();
  await expect(page.getByLabel("Job title")).toHaveValue("Engineer");
});
