import type { Identity } from "platform-contract/iam/identities";
import type { Role } from "platform-contract/iam/roles";

import { expect, gate, test, unique } from "../fixtures";
import { hasNoFinding } from "../lists";
import { folder, param } from "../records";
import { makeRepo } from "../repos";
import { createTags, digestOf, NO_IMAGE } from "../tags";

test(
  "the palette finds a repo by its name, a screen, an action, and where each pasted thing leads",
  gate,
  async ({ person, signUp, problems }) => {
    problems.allow(NO_IMAGE);
    test.slow();
    const { page, api, organization, open } = person;
    const stranger = await signUp();
    const theirs = await stranger.api.createOrganization(unique("org"));
    const team = await folder(api, organization, "team");
    const identity = await api.post<Identity>(`/iam/v2/identities/${team.uid}`, {
      name: "ci-palette",
      claimMatch: { issuer: "https://issuer.example", subject: "ci" },
    });
    const role = await api.post<Role>(`/iam/v2/roles/${organization.uid}`, {
      name: "palette-readers",
      capabilities: ["CAP_REPO_LIST"],
    });
    const repo = await makeRepo(person, { name: "palette-python" }, team.uid);
    const [tag] = await createTags(api, repo.uid, [{ name: "3.12", digest: digestOf(412) }]);
    const path = `${organization.name}/palette-python`;

    await open("groups");
    await expect(page.getByRole("link", { name: organization.name }).first()).toBeVisible();
    const palette = page.getByRole("dialog", { name: "Search" });
    const field = palette.getByRole("combobox");
    const option = (name: string | RegExp) => palette.getByRole("option", { name });
    const summon = async (text: string) => {
      await page.keyboard.press("ControlOrMeta+k");
      await expect(field).toBeFocused();
      await field.fill(text);
    };

    await summon("palette-python");
    await expect(option(/palette-python Repo in .*team/)).toHaveAttribute("aria-selected", "true");
    await hasNoFinding(page, "[role=dialog]");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "palette-python", level: 1 })).toBeFocused();

    // Enter right after pasting applies to the result once it is found.
    const shown = async (text: string, heading: string) => {
      await summon(text);
      await page.keyboard.press("Enter");
      await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
      await expect(palette).toBeHidden();
    };
    await shown(identity.uid, "ci-palette");
    await shown(`"uid": "${role.uid}",`, "palette-readers");
    await shown(param(tag?.uid ?? ""), "palette-python:3.12");
    await shown(team.uid.toUpperCase(), "team");
    await shown(digestOf(412), "palette-python:3.12");
    await shown(`docker pull ${path}:3.12`, "palette-python:3.12");
    await shown(path, "palette-python");
    await shown("https://nvd.nist.gov/vuln/detail/CVE-2026-12345", "Are we affected by CVE-2026-12345?");
    await shown("GHSA-2345-cfgh-jmpq", "Are we affected by GHSA-2345-cfgh-jmpq?");
    await shown(page.url().replace(/affected.*/, `identities/${param(identity)}`), "ci-palette");

    const said = async (text: string, words: string | RegExp) => {
      await summon(text);
      await expect(palette.getByText(words)).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(palette).toBeHidden();
    };
    await said(theirs.uid, "No record that you can see has this uid.");
    await said(`${team.uid}/0011223344556677`, /Nearest group:/);
    await said(identity.uid.slice(0, -4), /part of a uid/);
    await said(digestOf(999_999), /No tag that you can see has this digest/);
    await said("sha256:abcd", /Enter a whole digest/);
    await said(`${path}:9.9`, /has no tag 9\.9/);
    await said("elsewhere.example/other/thing:1", /No repo that you can see is other\/thing/);
    await said("CVE-2026", /Enter a whole id/);
    await said("eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln", /wasn't sent or stored/);
    await said("%%% \u202e <rubbish>", /^0 matches in [\d,]+ records: .* and tags$/);

    // An error is explained, with what helps and the record that it is about.
    await summon(`Error response from daemon: manifest for ${path}:9.9 not found: manifest unknown`);
    await expect(palette.getByText(/^Manifest unknown: the registry found no such tag/)).toBeVisible();
    await expect(palette.getByText(`${path} has no tag 9.9. The repo:`)).toBeVisible();
    await expect(option(/^palette-python Repo/)).toBeVisible();
    await expect(option(/^Tags /)).toBeVisible();
    await page.keyboard.press("Escape");

    // Where nothing has this exact name, parts of names are searched by themselves; recently viewed records come first in
    // an empty palette.
    await summon("lette-pyth");
    await expect(palette.getByText(/^1 match in [\d,]+ records: /)).toBeVisible();
    await palette.getByRole("group", { name: "Part of a name" }).getByText("palette-python").click();
    await expect(page.getByRole("heading", { name: "palette-python", level: 1 })).toBeVisible();
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(option(/ci-palette Identity/)).toBeVisible();
    await expect(option(/palette-python:3\.12 Tag in \S+ \/ team$/)).toBeVisible();
    await field.fill("delete");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: /Delete repo palette-python/ })).toBeVisible();
  },
);

test("the palette creates in the only group that a person has, and opens their preferences", async ({
  person,
}) => {
  const { page, organization, open } = person;
  await open("");
  await expect(page.getByRole("heading", { name: organization.name, level: 1 })).toBeVisible();
  const palette = page.getByRole("dialog", { name: "Search" });
  const run = async (text: string) => {
    await page.keyboard.press("ControlOrMeta+k");
    await palette.getByRole("combobox").fill(text);
    await page.keyboard.press("Enter");
  };
  await run("create folder");
  const drawer = page.getByRole("dialog", { name: "Create folder" });
  await expect(drawer.getByText(organization.name)).toBeVisible();
  await drawer.getByRole("button", { name: "Cancel" }).click();
  await run("time zone");
  await expect(page.getByRole("heading", { name: "Preferences", level: 1 })).toBeVisible();
  await run("your account");
  const account = page.getByRole("dialog", { name: "Your account" });
  await expect(account.getByRole("button", { name: "Sign out" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(account).toBeHidden();
  await expect(page.getByRole("button", { name: /^Your account/ })).toBeFocused();
});

test("the palette does things from every screen, and knows other words for them", async ({ person }) => {
  const { page, organization, open } = person;
  await open(`tags?group=${param(organization)}`);
  const palette = page.getByRole("dialog", { name: "Search" });
  const choose = async (typed: string, name: string) => {
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await palette.getByRole("combobox").fill(typed);
    await expect(palette.getByRole("option", { name })).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Enter");
    await expect(palette).toBeHidden();
  };
  await choose("theme", "Color scheme: dark");
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await choose("webhook", "Event subscriptions Organization");
  await expect(page.getByRole("heading", { name: "Event subscriptions", level: 1 })).toBeVisible();
  await choose("allow push", "Grant access");
  const form = page.getByRole("dialog", { name: "Grant access" });
  await expect(form.getByRole("heading", { name: "Who gets access" })).toBeVisible();
  await form.getByRole("button", { name: "Close" }).click();
  await choose("log out", "Sign out");
  await expect(page.getByRole("button", { name: /^Sign in/ })).toBeVisible();
});

test("the palette is over the page without holding the keyboard: Tab leaves and closes it, Escape returns", async ({
  person,
}) => {
  const { page, organization, open } = person;
  await open(`groups?group=${param(organization)}`);
  const palette = page.getByRole("dialog", { name: "Search" });
  const field = palette.getByRole("combobox");
  const button = page.getByRole("button", { name: "Search", exact: true });
  await button.press("Enter");
  await field.fill("roles");
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();
  await expect(button).toBeFocused();

  await button.press("Enter");
  await expect(field).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(palette).toBeHidden();
  await expect(page.getByRole("button", { name: "Show requests" })).toBeFocused();

  // A press beside it closes it, and does what it does.
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Roles" });
  await page.keyboard.press("ControlOrMeta+k");
  await expect(field).toBeFocused();
  await link.click();
  await expect(palette).toBeHidden();
  await expect(page.getByRole("heading", { name: "Roles", level: 1 })).toBeFocused();

  // Its keys close it, too.
  await page.keyboard.press("ControlOrMeta+k");
  await expect(field).toBeFocused();
  await page.keyboard.press("ControlOrMeta+k");
  await expect(palette).toBeHidden();
});
