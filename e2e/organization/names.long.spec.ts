import type { APIRequestContext } from "@playwright/test";

import { bind } from "../bindings";
import { expect, ownService, test, unique } from "../faulty";
import { register } from "../fixtures";
import { folder, param } from "../records";

const SECRET = "a-secret-of-automation";

test.use({ serviceVariables: { AUTOMATION_CLIENT_SECRET: SECRET } });

/** A shortened uid. */
const UID = /[0-9a-f]{8}…/;

test("somebody else reads who accepted terms, and where events go, by name", async ({ person, signUp }) => {
  const { api, email, organization } = person;
  const name = email.split("@")[0]!;
  const terms = `/iam/v2/terms/${organization.uid}`;
  await api.post(terms, { name: "tos.v1", label: "Terms", url: "https://example.com/tos" });
  await api.post(terms, { documentIds: ["tos.v1"] });
  const sink = "https://hooks.example/registry";
  await api.post(`/events/v2/subscriptions/${(await folder(api, organization, "team")).uid}`, { sink });

  const reader = await signUp();
  await bind(api, organization, reader, "viewer");
  const { page, open } = reader;
  await open(`terms?group=${organization.uid}`);
  await page.getByRole("table").getByRole("link", { name: "tos.v1" }).click();
  const acceptances = page.getByRole("region", { name: /^Acceptances/ }).first();
  await expect(acceptances.getByText(name)).toBeVisible();
  await expect(acceptances.getByText(api.who.subject)).toBeHidden();

  await open(`?group=${param(organization)}`);
  const updates = page.getByRole("region", { name: "Recently updated" });
  await expect(updates.getByRole("link", { name: sink })).toBeVisible();
  await expect(updates).not.toContainText(UID);
});

/** Sends requests as the client `automation` of a service. */
async function automation(request: APIRequestContext, at: string) {
  const granted = await request.post(`${at}/oidc/token`, {
    headers: { authorization: `Basic ${Buffer.from(`automation:${SECRET}`).toString("base64")}` },
    form: { grant_type: "client_credentials" },
  });
  const { access_token: token } = (await granted.json()) as { access_token: string };
  return async (path: string, data?: object): Promise<{ uid: string; roles: { uid: string }[] }> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await request.fetch(`${at}${path}`, { headers, method: data ? "POST" : "GET", data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return (await answer.json()) as { uid: string; roles: { uid: string }[] };
  };
}

test(
  "a client of the service is named with the machines, and is not among the people",
  ownService,
  async ({ page, request, proxied: { proxy, direct } }) => {
    const person = await register(page, { at: `${proxy.url}/`, api: direct });
    const { issuer, subject } = person.api.who;
    const ask = await automation(request, proxy.url);
    const organization = await ask("/iam/v2/groups", { name: unique("made-by-machine") });
    const query = new URLSearchParams({ issuer, subject });
    const { uid: identityUid } = await ask(`/iam/v2/identities:lookupIdentity?${query}`);
    const { roles } = await ask("/iam/v2/roles?name=viewer");
    await ask(`/iam/v2/roleBindings/${organization.uid}`, { identityUid, roleUid: roles[0]?.uid });

    await person.open("people");
    const people = page.getByRole("table", { name: "People" });
    await expect(people.getByRole("link", { name: person.email.split("@")[0]! })).toBeVisible();
    await expect(people.getByRole("link", { name: "automation" })).toBeHidden();
    await expect(page.getByText("1–1 of 1", { exact: true })).toBeVisible();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Identities" }).click();
    await expect(page.getByText(/automation, a client of the service itself, also has a role/)).toBeVisible();
    await page.getByRole("main").getByRole("link", { name: "automation" }).click();
    await expect(page.getByRole("heading", { name: "automation", level: 1 })).toBeVisible();
    await expect(page.getByRole("main")).toContainText("Client credentials");
  },
);
