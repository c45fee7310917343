import { exportJWK, generateKeyPair } from "jose";

import type { Identity } from "platform-contract/iam/identities";

import { address } from "../api";
import { bind, bindTo } from "../bindings";
import { axe } from "../bulk-delete";
import { expect, test } from "../fixtures";
import { grantsOf, migrated, row } from "../migrations";
import { folder } from "../records";
import { exchange } from "../static-keys";

const GITHUB = "https://token.actions.githubusercontent.com";

test("jobs move from GitHub to GitLab: new rules beside the old, with the same roles", async ({ person }) => {
  const { page, api, organization, open } = person;
  const create = (name: string, claimMatch: Identity["claimMatch"], description = "") =>
    api.post<Identity>(`/iam/v2/identities/${organization.uid}`, { name, description, claimMatch });
  const main = await create("ci", { issuer: GITHUB, subject: "repo:acme/api:ref:refs/heads/main" }, "Signs.");
  const deploy = await create("deploy", { issuer: GITHUB, subject: "repo:acme/api:environment:production" });
  const odd = await create("odd", { issuer: GITHUB, subject: "repository_id:12" });
  await api.post(`/iam/v2/identities/${organization.uid}`, {
    name: "in the cloud",
    awsIdentity: { awsAccount: "123456789012", arn: "arn:aws:iam::123456789012:role/x", userId: "x" },
  });
  const team = await folder(api, organization, "team");
  await bindTo(api, organization, main.uid, "viewer");
  await bindTo(api, team, main.uid, "editor");
  await bindTo(api, organization, deploy.uid, "editor");

  await open(`identities?group=${organization.uid}`);
  await page.getByRole("link", { name: "Migrate CI", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Migrate CI", level: 1 })).toBeVisible();
  await expect(page.getByText("2 identities would be created; 1 stays as it is.")).toBeVisible();
  await page.getByText("1 other identity here can't move").click();
  await expect(
    page.getByText("in the cloud: It signs in with AWS, whose rules have no issuer."),
  ).toBeVisible();
  await expect(row(page, "ci").getByText("2 roles: ")).toBeVisible();

  // What has no equivalent waits for a decision, and a pattern that is wider is marked.
  await expect(row(page, "odd").getByText("Needs your decision")).toBeVisible();
  const subject = row(page, "odd").getByRole("textbox", { name: /^Subject/ });
  await subject.fill("project_path:acme/.*");
  await row(page, "odd").getByRole("checkbox", { name: "The subject is a pattern" }).check();
  await row(page, "odd").getByRole("checkbox", { name: "Use the rule as it is here" }).check();
  await expect(row(page, "odd").getByText("it has a pattern in place of one subject")).toBeVisible();
  await row(page, "odd").getByRole("checkbox", { name: "The subject is a pattern" }).uncheck();
  await subject.fill("project_path:acme/api:ref_type:branch:ref:main");
  await expect(row(page, "odd").getByText("ci would get the same rule.")).toBeVisible();
  await subject.fill("project_path:acme/odd:ref_type:branch:ref:main");
  await row(page, "odd").getByRole("textbox", { name: "Name" }).fill("NOT ALLOWED");
  await expect(row(page, "odd").getByText(/^Name: must match/)).toBeVisible();
  await row(page, "odd").getByRole("textbox", { name: "Name" }).fill("odd on gitlab");
  await axe(page, "preview");

  // The draft is there again.
  await page.reload();
  await page.getByRole("button", { name: "Create 3 new rules" }).click();
  await expect(page.getByRole("region", { name: "Created 3 new rules" })).toBeVisible({ timeout: 30_000 });

  const made = await migrated(api, organization);
  expect(made.map(({ name, claimMatch, description }) => ({ name, claimMatch, description }))).toEqual([
    {
      name: "ci-gitlab",
      claimMatch: { issuer: "https://gitlab.com", subject: "project_path:acme/api:ref_type:branch:ref:main" },
      description: `Signs. Replaces identity ${main.uid}.`,
    },
    {
      name: "deploy-gitlab",
      claimMatch: {
        issuer: "https://gitlab.com",
        subjectPattern: "project_path:acme/api:.*",
        claims: { environment: "production" },
      },
      description: `Replaces identity ${deploy.uid}.`,
    },
    {
      name: "odd on gitlab",
      claimMatch: { issuer: "https://gitlab.com", subject: "project_path:acme/odd:ref_type:branch:ref:main" },
      description: `Replaces identity ${odd.uid}.`,
    },
  ]);
  for (const [index, old] of [main, deploy, odd].entries()) {
    /* oxlint-disable no-await-in-loop -- three */
    expect(await api.get(`/iam/v2/identities/${old.uid}`)).toMatchObject({ claimMatch: old.claimMatch });
    expect(await grantsOf(api, made[index]?.uid)).toEqual(await grantsOf(api, old.uid));
    /* oxlint-enable no-await-in-loop */
  }
  expect(await grantsOf(api, made[0]?.uid)).toHaveLength(2);

  // Again: everything is there.
  await expect(page.getByText("0 identities would be created; 3 are there already.")).toBeVisible();
  // No job has signed in by a new rule: nothing is chosen, and what is, is warned about.
  await page.getByRole("link", { name: "Retire the old" }).click();
  await expect(page.getByText("The new one was never used")).toHaveCount(3);
  await expect(page.getByRole("button", { name: "Retire 0 identities" })).toBeDisabled();
  await page.getByRole("checkbox", { name: "Retire ci", exact: true }).check();
  await axe(page, "pairs");
  // On a phone nothing scrolls sideways, and the rows stay rows.
  const pairs = page.getByRole("region", { name: "Old and new identities" });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(pairs.getByRole("row")).toHaveCount(4);
  await expect(pairs.getByRole("row", { name: /ci-gitlab/ }).getByRole("cell")).toHaveCount(4);
  expect(await pairs.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await axe(page, "pairs on a phone");
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole("button", { name: "Retire 1 identity" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete 1 identity?" });
  await expect(dialog.getByText("1 of these has no replacement that certainly took over.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
});

test("both rules sign in until the old one is retired", async ({ person, signUp, problems }) => {
  problems.allow(/status of 404 .*\/iam\/v2\/identities\//);
  const { page: mine, api, organization, open } = person;
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const key = { ...(await exportJWK(publicKey)), alg: "ES256", kid: "k" };
  const old = await api.post<Identity>(`/iam/v2/identities/${organization.uid}`, {
    name: "scanner",
    staticKeys: {
      issuer: "https://old.example",
      subject: "scanner",
      issuerKeys: JSON.stringify({ keys: [key] }),
      audiences: [new URL(address()).href.replace(/\/$/, "")],
    },
  });
  await bindTo(api, organization, old.uid, "viewer");
  await open(`migrate?group=${organization.uid}`);
  await mine.getByRole("combobox", { name: "What changes" }).selectOption("The issuer has moved");
  await mine.getByRole("textbox", { name: "New issuer" }).fill("https://new.example");
  await mine.getByRole("button", { name: "Create 1 new rule" }).click();
  await expect(mine.getByRole("region", { name: "Created 1 new rule" })).toBeVisible({ timeout: 30_000 });
  const [made] = await migrated(api, organization);
  if (!made) throw new Error("nothing was created");
  expect(made.staticKeys).toMatchObject({ issuer: "https://new.example", subject: "scanner" });
  // Services note the creation as a first sign-in, so the console doesn't count those within five seconds of it.
  await expect
    .poll(() => Date.now() - Date.parse(made.createTime ?? ""), { timeout: 15_000 })
    .toBeGreaterThan(6_000);
  expect((await exchange(made, privateKey, "k")).status).toBe(200);

  // On another day and machine: the pair is known by what the API says alone.
  const colleague = await signUp();
  await bind(api, organization, colleague, "owner");
  const { page } = colleague;
  await colleague.open(`migrate?group=${organization.uid}&step=retire`);
  await expect(page.getByText("Only the new one is used")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Retire scanner" })).toBeChecked();

  expect((await exchange(old, privateKey, "k")).status).toBe(200);
  await page.getByRole("button", { name: "Read again" }).click();
  await expect(page.getByText("The old one may still be used")).toBeVisible();
  await page.getByRole("checkbox", { name: "Retire scanner" }).check();
  await page.getByRole("button", { name: "Retire 1 identity" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete 1 identity?" });
  await dialog.getByLabel(/^Type /).fill("scanner");
  await dialog.getByRole("button", { name: "Delete 1 identity" }).click();
  await expect(page.getByRole("region", { name: "Deleted 1 identity" })).toBeVisible({ timeout: 30_000 });
  expect(await api.refusal("GET", `/iam/v2/identities/${old.uid}`)).toMatchObject({ http: 404 });
  expect((await exchange(old, privateKey, "k")).status).toBe(401);
  expect((await exchange(made, privateKey, "k")).status).toBe(200);
  expect(await grantsOf(api, made.uid)).toHaveLength(1);
  await expect(page.getByText(/^Nothing to retire/)).toBeVisible();
});
