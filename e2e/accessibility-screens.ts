import type { Page } from "@playwright/test";

import { parentOf } from "platform-contract/aip";
import { kinds, listPath } from "platform-contract/kinds";

import { expect, type Owner } from "./fixtures";
import { param } from "./records";

/** Uids by the path of their list. */
type Made = Readonly<Record<string, string>>;

type Screen = readonly [path: (owner: Owner, made: Made) => string, shown: (page: Page) => Promise<void>];

/** What one screen has and others do not, with a check that it has rendered. */
const SPECIAL: readonly Screen[] = [
  [() => "", (page) => expect(page.getByRole("heading", { name: "Your access" })).toBeVisible()],
  [
    ({ organization }) => `groups?group=${organization.uid}`,
    (page) => expect(page.getByRole("link", { name: "team" }).first()).toBeVisible(),
  ],
  [
    ({ organization }) => `groups/${organization.uid}`,
    (page) => expect(page.getByRole("heading", { name: "Contents" })).toBeVisible(),
  ],
  [() => "groups?drawer=create", (page) => expect(page.getByRole("dialog")).toBeVisible()],
  [
    ({ organization }) => `identities?group=${organization.uid}`,
    (page) => expect(page.getByRole("link", { name: "ci", exact: true }).first()).toBeVisible(),
  ],
  [
    ({ organization }) => `identity-providers?group=${organization.uid}&drawer=create`,
    (page) => expect(page.getByRole("dialog")).toBeVisible(),
  ],
  [() => "people", (page) => expect(page.getByRole("table", { name: "People" })).toBeVisible()],
  [
    () => "libraries",
    (page) => expect(page.getByRole("heading", { name: "No libraries yet" })).toBeVisible(),
  ],
  [
    () => "audit-log",
    (page) => expect(page.getByRole("link", { name: "Created organization" }).first()).toBeVisible(),
  ],
  [
    ({ organization }) => `identities?group=${organization.uid}&name=nobody`,
    (page) => expect(page.getByRole("button", { name: "Clear filter", exact: true })).toBeVisible(),
  ],
  [
    ({ organization }) => `identities?group=${organization.uid}&contains=c&seen=never`,
    (page) => expect(page.getByText("1 of 1 identity", { exact: true }).first()).toBeVisible(),
  ],
  [
    ({ organization }) => `identities?group=${organization.uid}&drawer=create`,
    (page) => expect(page.getByRole("dialog")).toBeVisible(),
  ],
  [
    (_, { identities = "" }) => `identities/${param(identities)}`,
    (page) => expect(page.getByRole("heading", { name: "Role bindings" })).toBeVisible(),
  ],
  [
    ({ organization }) => `roles?group=${organization.uid}`,
    (page) => expect(page.getByRole("link", { name: "1 role binding" })).toBeVisible(),
  ],
  [
    (_, { roles = "" }) => `roles/${param(roles)}`,
    (page) => expect(page.getByRole("heading", { name: "Who has this role 1" })).toBeVisible(),
  ],
  [
    (_, { roles = "" }) => `roles/${param(roles)}?drawer=edit`,
    async (page) => {
      await page.getByRole("searchbox", { name: "Search capabilities" }).fill("repo");
      await page.getByRole("checkbox", { name: "All of Repos, tags, and images that match" }).click();
      await expect(page.getByRole("region", { name: "Chosen capabilities" })).toContainText("added");
    },
  ],
  [
    (_, { roles = "" }) => `roles/${param(roles)}?drawer=delete`,
    (page) => expect(page.getByRole("dialog").getByText("This role is in use")).toBeVisible(),
  ],
  [
    (_, { roles = "" }) => `roles/compare?roles=${param(roles)},63921b2c44617e3f2603851537be0123af4a57d7`,
    (page) => expect(page.getByRole("row", { name: /^View tags/ })).toBeVisible(),
  ],
  [
    (_, { identities = "" }) => `identities/${param(identities)}?tab=access`,
    (page) => expect(page.getByRole("rowheader", { name: /^View groups/ })).toBeVisible(),
  ],
  [
    ({ organization }) => `identities?group=${organization.uid}&drawer=test-token`,
    async (page) => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const claims = { iss: "https://issuer.example/", sub: "ci", aud: "else", exp: 1 };
      await page
        .getByRole("textbox", { name: "Token" })
        .fill(`${part({ alg: "RS256" })}.${part(claims)}.c2ln`);
      await expect(page.getByRole("article", { name: "ci" })).toBeVisible();
    },
  ],
  [() => "tags", (page) => expect(page.getByRole("link", { name: "1.0", exact: true })).toBeVisible()],
  [
    (_, { tags = "" }) => `tags?repo=${param(parentOf(tags))}&deprecated=yes`,
    (page) => expect(page.getByText("1 deprecated of 2 tags").first()).toBeVisible(),
  ],
  [
    (_, { tags = "" }) => `tags?repo=${param(parentOf(tags))}&by=digest&order=version`,
    (page) => expect(page.getByRole("link", { name: "latest" })).toBeVisible(),
  ],
  [
    (_, { tags = "" }) => `tags?repo=${param(parentOf(tags))}&drawer=create&item=${param(tags)}`,
    (page) => expect(page.getByRole("dialog").getByText("Digest now")).toBeVisible(),
  ],
  [
    (_, { tags = "" }) => `tags?repo=${param(parentOf(tags))}&drawer=pull&item=${param(tags)}`,
    (page) => expect(page.getByRole("button", { name: "Copy reference" })).toBeVisible(),
  ],
  [
    (_, { tags = "" }) => `tags/${param(tags)}`,
    (page) => expect(page.getByRole("link", { name: "latest" })).toBeVisible(),
  ],
  [
    (_, { tags = "" }) => `tags/compare?a=${param(tags)}&b=${param(tags)}`,
    (page) => expect(page.getByRole("cell", { name: "same image" })).toBeVisible(),
  ],
  [
    ({ organization }) => `repos?group=${organization.uid}`,
    (page) => expect(page.getByRole("link", { name: "web" }).first()).toBeVisible(),
  ],
  [
    (_, { repos = "" }) => `repos/${param(repos)}`,
    (page) => expect(page.getByRole("heading", { name: "Use it" })).toBeVisible(),
  ],
  [
    (_, { repos = "" }) => `repos/${param(repos)}?drawer=edit`,
    async (page) => {
      await expect(page.getByLabel("Bundles")).toBeVisible();
      await page
        .locator("[role=dialog] details")
        .evaluateAll((all) => all.forEach((part) => part.setAttribute("open", "")));
      await expect(page.getByRole("group", { name: "User 1" })).toBeVisible();
    },
  ],
  [
    (_, { repos = "" }) => `repos/${param(repos)}?drawer=readme`,
    async (page) => {
      await page.getByRole("button", { name: "Preview" }).click();
      await expect(page.getByRole("dialog").getByRole("heading", { name: "Use it" })).toBeVisible();
    },
  ],
  [
    ({ organization }) => `group-invites?group=${organization.uid}`,
    (page) => expect(page.getByRole("table", { name: "Invites" })).toBeVisible(),
  ],
  [
    ({ organization }) => `group-invites?group=${organization.uid}&drawer=create`,
    (page) => expect(page.getByRole("dialog").getByLabel("Lifetime")).toBeVisible(),
  ],
  [() => "invite", (page) => expect(page.getByRole("button", { name: "Use another account" })).toBeVisible()],
  [
    ({ organization }) => `account-associations?group=${organization.uid}`,
    (page) => expect(page.getByRole("link", { name: "accounts", exact: true })).toBeVisible(),
  ],
  [
    ({ organization }) => `account-associations/${organization.uid}?drawer=edit`,
    async (page) => {
      await expect(page.getByRole("dialog")).toBeVisible();
      await page
        .locator("[role=dialog] details")
        .evaluateAll((all) => all.forEach((part) => part.setAttribute("open", "")));
      await expect(page.getByRole("group", { name: "Installation 1" })).toBeVisible();
    },
  ],
  [
    ({ organization }) => `account-associations/${organization.uid}`,
    (page) => expect(page.getByRole("button", { name: "Check AWS" })).toBeVisible(),
  ],
  [
    ({ organization }) => `terms?group=${organization.uid}`,
    (page) => expect(page.getByRole("link", { name: "tos.v1" })).toBeVisible(),
  ],
  [
    (_, { terms = "" }) => `terms/${param(terms)}`,
    (page) => expect(page.getByRole("heading", { name: "Acceptances 1" })).toBeVisible(),
  ],
  [
    ({ organization }) => `subscriptions?group=${organization.uid}`,
    (page) => expect(page.getByRole("link", { name: "http://127.0.0.1:9/hook" })).toBeVisible(),
  ],
  [
    ({ organization }) => `subscriptions?group=${organization.uid}&drawer=create`,
    async (page) => {
      await page.getByText("Event types", { exact: true }).click();
      await expect(page.getByText("A group was created.")).toBeVisible();
    },
  ],
  [
    (_, { subscriptions = "" }) => `subscriptions/${param(subscriptions)}`,
    (page) => expect(page.getByText("A group was created.")).toBeVisible(),
  ],
  [
    ({ organization }) => `advisories?group=${organization.uid}`,
    (page) => expect(page.getByRole("heading", { name: "No advisories here yet" })).toBeVisible(),
  ],
  [
    () => "affected?id=CVE-1999-1",
    (page) =>
      expect(page.getByRole("heading", { name: "No advisory here mentions CVE-1999-1" })).toBeVisible(),
  ],
  [
    ({ organization }) => `retention?group=${organization.uid}`,
    (page) => expect(page.getByRole("button", { name: "Preview" })).toBeVisible(),
  ],
  [() => "reports", (page) => expect(page.getByRole("button", { name: "web" })).toBeVisible()],
  [
    (_, { repos = "" }) => `reports?images=${param(repos)}*1.0*latest`,
    (page) =>
      expect(page.getByRole("heading", { name: "Nothing was resolved in this period" })).toBeVisible(),
  ],
  [
    (_, { tags = "" }) => `tags/${param(tags)}?tab=vulnerabilities`,
    (page) => expect(page.getByRole("heading", { name: "Open vulnerabilities" })).toBeVisible(),
  ],
  [
    ({ organization }) => `access-review?group=${organization.uid}`,
    (page) => expect(page.getByRole("button", { name: "Start review" })).toBeVisible(),
  ],
  [
    ({ organization }) => `import?group=${organization.uid}`,
    (page) => expect(page.getByRole("button", { name: "Preview" })).toBeVisible(),
  ],
  [
    ({ organization }) => `migrate?group=${organization.uid}`,
    (page) => expect(page.getByRole("combobox", { name: "What changes" })).toBeVisible(),
  ],
  [
    ({ organization }) => `guard-rails?group=${organization.uid}`,
    (page) => expect(page.getByRole("heading", { name: "No guard rails here yet" })).toBeVisible(),
  ],
  [
    ({ organization }) => `guard-rails?drawer=create&group=${organization.uid}`,
    (page) => expect(page.getByRole("radio", { name: "An end is required" })).toBeVisible(),
  ],
  [
    () => "eligible",
    (page) => expect(page.getByRole("heading", { name: "Nothing to switch on" })).toBeVisible(),
  ],
  [
    ({ organization }) => `snapshots?group=${organization.uid}`,
    (page) => expect(page.getByRole("button", { name: /snapshot/i }).first()).toBeVisible(),
  ],
  [
    () => "api?op=identities.create",
    (page) => expect(page.getByRole("heading", { name: "Request body" })).toBeVisible(),
  ],
  [() => "status", (page) => expect(page.getByText("5 of 5 answered")).toHaveCount(7, { timeout: 30_000 })],
  [() => "no-such-screen", (page) => expect(page.getByRole("heading", { level: 1 })).toBeVisible()],
];

/** The list and a record's page of each kind that has nothing special above. */
const ORDINARY: readonly Screen[] = kinds
  .filter(({ screens }) => screens)
  .flatMap(({ collection }) => {
    const list = listPath(collection).slice(1);
    const shown = (page: Page) => expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    return [
      [({ organization }: Owner) => `${list}?group=${organization.uid}`, shown],
      [(_: Owner, made: Made) => `${list}/${param(made[list] ?? "")}`, shown],
    ] satisfies Screen[];
  });

const pathOf = ([path]: Screen): string => path({ organization: { uid: "" } } as Owner, {});
const special = new Set(SPECIAL.map(pathOf));

/** Every screen of the console. The API cannot create advisories. */
export const SCREENS: readonly Screen[] = [
  ...SPECIAL,
  ...ORDINARY.filter((screen) => !special.has(pathOf(screen)) && pathOf(screen) !== "advisories/"),
];
