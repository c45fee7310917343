import { address } from "../api";
import { bind } from "../bindings";
import { expect, test } from "../fixtures";
import { hasNoFinding } from "../lists";

const VIEWER = "63921b2c44617e3f2603851537be0123af4a57d7";
const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";

const provider = {
  name: "Acme SSO",
  defaultRole: VIEWER,
  oidc: { issuer: "https://login.acme.example", clientId: "console", pkceEnabled: true },
};

test("a directory gets a token, pushes people and groups, and their roles follow; a revoked token opens nothing", async ({
  person,
  signUp,
}) => {
  const { page, api, organization, open } = person;
  await bind(api, organization, await signUp(), "owner");
  const { uid } = await api.post<{ uid: string }>(`/iam/v2/identityProviders/${organization.uid}`, provider);
  await open(`identity-providers/${uid.replaceAll("/", "_")}`);
  const sync = page.getByRole("region", { name: "Directory sync" });
  await expect(sync.getByText("Not created yet")).toBeVisible();
  await expect(sync.getByText("Nothing pushed yet")).toBeVisible();
  await expect(sync.getByText(`scim/v2/${uid}`)).toBeVisible();

  await sync.getByRole("button", { name: "Create token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Expires").selectOption("In 90 days");
  await dialog.getByRole("button", { name: "Create token" }).click();
  await expect(dialog.getByRole("heading", { name: "Token created" })).toBeVisible();
  const token = await dialog.getByText(/^cgscim_[0-9a-f]{64}$/).innerText();
  await page.keyboard.press("Escape");
  await expect(dialog.getByText(token)).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Done" })).toBeDisabled();
  await hasNoFinding(page, "[role=dialog]");
  await dialog.getByLabel("I've copied the token").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(token)).toHaveCount(0);
  await expect(sync.getByText("Valid", { exact: true })).toBeVisible();
  await sync.getByRole("button", { name: "Turn on" }).click();
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await expect(sync.getByText("On", { exact: true })).toBeVisible();

  const push = async (method: string, path: string, body?: object, by = token) => {
    const answer = await page.request.fetch(address(`scim/v2/${uid}${path}`), {
      method,
      headers: { authorization: `Bearer ${by}`, "content-type": "application/scim+json" },
      ...(body && { data: JSON.stringify(body) }),
    });
    return {
      status: answer.status(),
      body: (await answer.text()) && ((await answer.json()) as { id: string }),
    };
  };
  const ann = await push("POST", "/Users", {
    schemas: [USER],
    userName: "ann@acme.example",
    externalId: "ann",
    displayName: "Ann of Acme",
  });
  expect(ann.status).toBe(201);
  const { id } = ann.body as { id: string };
  const members = [{ value: id }];
  await push("POST", "/Groups", {
    schemas: [GROUP],
    displayName: "Engineers",
    externalId: "object-7",
    members,
  });
  await page.reload();
  await expect(sync.getByText("1 group", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Map groups" }).click();
  await dialog.getByRole("button", { name: /^Engineers · 1 person/ }).click();
  await expect(dialog.getByRole("textbox", { name: "Groups" })).toHaveValue("object-7");
  await dialog.getByLabel("Role").selectOption({ label: "editor (built-in)" });
  await dialog.getByRole("button", { name: "Map groups" }).click();
  await expect(page.getByRole("row", { name: /object-7 editor/ })).toBeVisible();
  const holders = async () => {
    const { roleBindings } = await api.get<{
      roleBindings: { identity: { name: string }; role: { name: string } }[];
    }>(`/iam/v2/roleBindings?uidp.descendants_of=${organization.uid}&page_size=200`);
    return roleBindings.filter(({ role }) => role.name === "editor").map(({ identity }) => identity.name);
  };
  expect(await holders()).toEqual(["Ann of Acme"]);
  const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
  const leave = { schemas: [PATCH], Operations: [{ op: "replace", value: { active: false } }] };
  expect((await push("PATCH", `/Users/${id}`, leave)).status).toBe(200);
  expect(await holders()).toEqual([]);
  await page.reload();
  await expect(sync.getByText("1, of which 0 are active")).toBeVisible();

  await sync.getByRole("button", { name: "Replace token" }).click();
  await dialog.getByLabel("Previous token works").selectOption("For a day");
  await dialog.getByRole("button", { name: "Replace token" }).click();
  const next = await dialog.getByText(/^cgscim_[0-9a-f]{64}$/).innerText();
  await dialog.getByLabel("I've copied the token").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(sync.getByText("Valid (two tokens)")).toBeVisible();
  for (const by of [token, next]) expect((await push("GET", "/Users", undefined, by)).status).toBe(200);

  await sync.getByRole("button", { name: "Revoke token" }).click();
  await dialog.getByRole("button", { name: "Revoke token" }).click();
  await expect(sync.getByText("Revoked", { exact: true })).toBeVisible();
  for (const by of [token, next]) expect((await push("GET", "/Users", undefined, by)).status).toBe(401);
  await hasNoFinding(page, "main");
});

test("one owner is too few to turn it on, and a viewer is told what is missing", async ({
  person,
  signUp,
  problems,
}) => {
  const { page, api, organization, open } = person;
  const { uid } = await api.post<{ uid: string }>(`/iam/v2/identityProviders/${organization.uid}`, provider);
  await open(`identity-providers/${uid.replaceAll("/", "_")}`);
  const sync = page.getByRole("region", { name: "Directory sync" });
  problems.allow(/status of 400/);
  await sync.getByRole("button", { name: "Turn on" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await expect(dialog.getByRole("alert").getByText(/needs two owners/)).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  const viewer = await signUp();
  await bind(api, organization, viewer, "viewer");
  await viewer.open(`identity-providers/${uid.replaceAll("/", "_")}`);
  const create = viewer.page.getByRole("button", { name: "Create token" });
  await expect(create).toHaveAttribute("aria-disabled", "true");
  await create.focus();
  await expect(viewer.page.getByText(/identity_providers\.scim\.manage/).first()).toBeVisible();
});
