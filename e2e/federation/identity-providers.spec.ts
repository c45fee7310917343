import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { address } from "../api";
import { bind } from "../bindings";
import { expect, gate, ownService, test, unique } from "../fixtures";
import { hasNoFinding } from "../lists";
import { freePort, startBuiltService } from "../service";

const VIEWER = "63921b2c44617e3f2603851537be0123af4a57d7";

test(
  "a provider is made by a preset, changed without its secret, mapped, and deleted once nothing belongs to it",
  gate,
  async ({ person, problems }) => {
    const { page, api, organization, open } = person;
    await open(`identity-providers?group=${organization.uid}`);
    await expect(page.getByRole("heading", { name: "No identity providers here yet" })).toBeVisible();
    await page.getByRole("button", { name: "Create identity provider" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Preset").selectOption("Okta");
    await expect(dialog.getByLabel("Issuer")).toHaveValue("https://<your domain>.okta.com");
    await expect(dialog.getByLabel("Groups claim")).toHaveValue("groups");
    await dialog.getByLabel("Client ID").fill("platform");
    await dialog.getByLabel("Default role").selectOption({ label: "viewer (built-in)" });
    await dialog.getByRole("button", { name: "Create identity provider" }).click();
    await expect(dialog.getByText(/^Must be an https:\/\/ address/)).toBeVisible();
    await expect(
      dialog.getByText('Enter the client secret, or select "The client has no secret"'),
    ).toBeVisible();
    await dialog.getByLabel("Issuer").fill(address("oidc"));
    await dialog.getByLabel("Client secret").fill("entered once");
    problems.allow(/status of 400/);
    await dialog.getByRole("button", { name: "Create identity provider" }).click();
    await expect(dialog.getByText("Must be a service other than this one")).toBeVisible();
    await dialog.getByLabel("Issuer").fill("https://acme.okta.com");
    await dialog.getByRole("button", { name: "Create identity provider" }).click();
    await page.getByRole("link", { name: "Open identity provider" }).click();
    await expect(page.getByRole("heading", { name: "Okta", level: 1 })).toBeVisible();
    await expect(page.getByText("/oidc/callback/")).toBeVisible();
    await expect(page.getByText("?provider=")).toBeVisible();
    await hasNoFinding(page, "main");

    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await expect(dialog.getByLabel("Client secret")).toHaveValue("");
    await dialog.getByLabel("Client ID").fill("console");
    const patched = page.waitForRequest((request) => request.method() === "PATCH");
    await page.getByRole("button", { name: "Save changes" }).click();
    expect(new URL((await patched).url()).searchParams.get("updateMask")).toBe("oidc.clientId");
    await expect(page.getByText("Saved identity provider Okta").first()).toBeVisible();

    // Another one begins with all but its name and its secret.
    await open(`identity-providers?group=${organization.uid}`);
    await page.getByRole("button", { name: "Actions for Okta" }).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    for (const [label, value] of [
      ["Name", ""],
      ["Issuer", "https://acme.okta.com"],
      ["Client ID", "console"],
      ["Client secret", ""],
    ] as const)
      await expect(dialog.getByLabel(new RegExp(`^${label}`))).toHaveValue(value);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("link", { name: "Okta", exact: true }).click();

    await page.getByRole("button", { name: "Map groups" }).click();
    await page.getByRole("textbox", { name: "Groups" }).fill("engineers\nadmins\nguests");
    await dialog.getByLabel("Role").selectOption({ label: "editor (built-in)" });
    await page.getByRole("dialog").getByRole("button", { name: "Map groups" }).click();
    await expect(page.getByRole("row", { name: /engineers editor/ })).toBeVisible();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect(page.getByText("3 group mappings must be deleted first")).toBeVisible();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Actions for engineers" }).click();
    await page.getByRole("menuitem", { name: "Change role" }).click();
    await dialog.getByLabel("Role").selectOption({ label: "viewer (built-in)" });
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByRole("row", { name: /engineers viewer/ })).toBeVisible();
    await page.getByRole("button", { name: "Actions for guests" }).click();
    await page.getByRole("menuitem", { name: "Delete mapping" }).click();
    await page.getByRole("button", { name: "Delete group mapping" }).click();
    await expect(page.getByRole("button", { name: "Actions for guests" })).toHaveCount(0);
    for (const group of ["engineers", "admins"])
      await page.getByRole("checkbox", { name: `Select ${group}` }).check();
    await page.getByRole("button", { name: "Delete 2 mappings" }).click();
    const sent = page.waitForRequest((request) => request.url().endsWith(":batchDelete"));
    await page.getByRole("dialog").getByRole("button", { name: "Delete mappings" }).click();
    expect(((await sent).postDataJSON() as { names: string[] }).names).toHaveLength(2);
    await expect(page.getByText("No group mappings yet")).toBeVisible();
    // By a key, wherever the focus is; the groups keep their roles until they are deleted again.
    await page.keyboard.press("ControlOrMeta+z");
    for (const group of ["engineers", "admins"])
      await expect(page.getByRole("button", { name: `Actions for ${group}` })).toBeVisible();
    await expect(
      page.getByText("Nobody has signed in through it, according to the audit log."),
    ).toBeVisible();
    for (const group of ["engineers", "admins"])
      await page.getByRole("checkbox", { name: `Select ${group}` }).check();
    await page.getByRole("button", { name: "Delete 2 mappings" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete mappings" }).press("Enter");
    await expect(page.getByText("No group mappings yet")).toBeVisible();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect(page.getByText("It has no group mappings.")).toBeVisible();
    await page.getByLabel(/Type the name/).fill("Okta");
    await page.getByRole("button", { name: "Delete identity provider" }).click();
    await expect(page.getByRole("heading", { name: "No identity providers here yet" })).toBeVisible();
    const left = await api.get(`/iam/v2/identityProviders?uidp.descendants_of=${organization.uid}`);
    expect(left).toMatchObject({ totalCount: "0" });
  },
);

test("a viewer sees providers and is told what a new one needs @long", async ({ person, signUp }) => {
  const viewer = await signUp();
  await bind(person.api, person.organization, viewer, "viewer");
  await viewer.open(`identity-providers?group=${person.organization.uid}`);
  const create = viewer.page.getByRole("button", { name: "Create identity provider" }).first();
  await expect(create).toHaveAttribute("aria-disabled", "true");
  await create.focus();
  await expect(viewer.page.getByText(/identity_providers\.create/).first()).toBeVisible();
});

test(
  "somebody signs in through another service, and has the default role @long",
  ownService,
  async ({ person, browser, problems }) => {
    // It waits for a service to start.
    test.slow();
    const port = await freePort();
    const issuer = `http://127.0.0.1:${port}/oidc`;
    const { uid } = await person.api.post<{ uid: string }>(
      `/iam/v2/identityProviders/${person.organization.uid}`,
      {
        name: "The other service",
        defaultRole: VIEWER,
        oidc: { issuer, clientId: "federation", pkceEnabled: true, additionalScopes: ["email", "profile"] },
      },
    );
    const directory = await mkdtemp(join(tmpdir(), "other-service-"));
    const other = await startBuiltService(directory, {
      PORT: String(port),
      FEDERATION_CALLBACKS: address(`oidc/callback/${uid}`),
    });
    const context = await browser.newContext();
    await problems.watch(context);
    const page = await context.newPage();
    const email = `${unique("ada")}@other.example`;
    await page.goto(address(`identity-providers?provider=${uid.replaceAll("/", "_")}`));
    await page.getByRole("link", { name: "Continue with The other service" }).click();
    await expect(page).toHaveURL(new RegExp(`^${issuer}`));
    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Name").fill("Ada of the other");
    await page.getByLabel("Password").fill("correct horse battery staple");
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page.getByRole("link", { name: "The other service" }).first()).toBeVisible();
    await expect(page).toHaveURL(address("identity-providers"));
    await page.getByRole("button", { name: /^Your account/ }).click();
    await expect(page.getByText(email).first()).toBeVisible();
    await context.close();
    await other.stop();
    await rm(directory, { recursive: true, force: true });
  },
);
