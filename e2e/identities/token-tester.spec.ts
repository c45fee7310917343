import type { Request } from "@playwright/test";

import type { Identity } from "platform-contract/iam/identities";

import { address } from "../api";
import { bindTo } from "../bindings";
import { expect, gate, test } from "../fixtures";
import { folder } from "../records";
import { makeRepo } from "../repos";

/** Returns a token with a fake signature: the browser does not check it. */
const tokenOf = (claims: object): string =>
  [{ alg: "RS256" }, claims, "signature"]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");

const GITHUB = "https://token.actions.githubusercontent.com";

test(
  "a pasted token is explained claim by claim, and no request carries any of it",
  gate,
  async ({ person }) => {
    const { page, api, organization, open } = person;
    const rule = (subject: string) => ({ claimMatch: { issuer: GITHUB, subject } });
    await api.post(`/iam/v2/identities/${organization.uid}`, {
      name: "release",
      ...rule("repo:acme/app:ref:refs/heads/main"),
    });
    await api.post(`/iam/v2/identities/${organization.uid}`, {
      name: "other",
      ...rule("repo:else/where:ref:x"),
    });
    const audience = new URL(address()).href.replace(/\/$/, "");
    const exp = Math.floor(Date.now() / 1000) + 600;
    const subject = "repo:acme@1/app@2:ref:refs/heads/main";
    const token = tokenOf({ iss: GITHUB, sub: subject, aud: audience, exp, jti: "a-secret-of-the-token" });
    const pieces = [...token.split("."), "a-secret-of-the-token"];
    const sent: Promise<string>[] = [];
    const note = async (request: Request) =>
      `${request.url()} ${JSON.stringify(await request.allHeaders())} ${request.postData() ?? ""}`;
    const listen = (request: Request) => void sent.push(note(request));
    person.context.on("request", listen);

    await open(`identities?group=${organization.uid}`);
    await page.getByRole("button", { name: "Test a token" }).click();
    await page.getByRole("textbox", { name: "Token" }).fill(token);
    const near = page.getByRole("article", { name: "release" });
    await expect(near.getByText("with their ids, and the identity expects names alone")).toBeVisible();
    await expect(near.locator("mark")).toHaveText([/@1/, /@2/]);
    await expect(page.getByRole("article", { name: "other" })).toBeHidden();

    // Make the suggested change here; the token is then evaluated again.
    await near.getByRole("button", { name: "Edit identity" }).click();
    const drawer = page.getByRole("dialog", { name: "Edit identity" });
    await drawer.getByLabel("My tokens have no IDs").uncheck();
    await drawer.getByLabel("Owner ID").fill("1");
    await drawer.getByLabel("Repository ID").fill("2");
    await drawer.getByRole("button", { name: "Save changes" }).click();
    // The platform does not trust the issuer here, but that is another matter.
    await expect(page.getByRole("status").filter({ hasText: "It would match release" })).toBeVisible();
    const { identities } = await api.get<{ identities: Identity[] }>("/iam/v2/identities?name=release");
    expect(identities[0]?.claimMatch?.subject).toBe(subject);

    // The headers of a request that starts as the test ends could not be read.
    person.context.off("request", listen);
    const requests = await Promise.all(sent);
    expect(requests.length).toBeGreaterThan(3);
    const kept = await page.evaluate(() =>
      JSON.stringify([location.href, { ...sessionStorage }, { ...localStorage }, history.state]),
    );
    for (const piece of pieces)
      for (const text of [...requests, kept]) expect(text.includes(piece), piece).toBe(false);
    await page.reload();
    await expect(page.getByRole("textbox", { name: "Token" })).toHaveValue("");
  },
);

test("a token that matches nothing becomes an identity that it matches", async ({ person }) => {
  const { page, api, organization, open } = person;
  await open(`identities?group=${organization.uid}&drawer=test-token`);
  const exp = Math.floor(Date.now() / 1000) + 600;
  const claims = { iss: "https://gitlab.example", sub: "project_path:acme/app:ref_type:branch:ref:main" };
  await page
    .getByRole("textbox", { name: "Token" })
    .fill(tokenOf({ ...claims, aud: "https://registry.example", exp, user_email: "ada@example.com" }));
  await page.getByRole("button", { name: "Create identity from this token" }).click();
  const form = page.getByRole("dialog", { name: "Create identity" });
  await expect(form.getByRole("textbox", { name: "Subject", exact: true })).toHaveValue(claims.sub);
  await form.getByRole("button", { name: "Create identity" }).click();
  await expect(form).toBeHidden();
  // The token is still there, and is compared with what is new.
  const name = "project_path acme app ref_type branch ref main";
  await expect(page.getByRole("status").filter({ hasText: `would match ${name}` })).toBeVisible();
  const { identities } = await api.get<{ identities: Identity[] }>(
    `/iam/v2/identities?name=${encodeURIComponent(name)}`,
  );
  expect(identities[0]?.claimMatch).toEqual({
    issuer: claims.iss,
    subject: claims.sub,
    audience: "https://registry.example",
  });
});

test("a token that matches says what it may pull and push, and that a role counts for the whole folder", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  const team = await folder(api, organization, "team");
  for (const name of ["api", "web"]) await makeRepo(person, { name }, team.uid);
  const claims = { iss: "https://gitlab.example", sub: "project_path:acme/app:ref_type:branch:ref:main" };
  const { uid } = await api.post<{ uid: string }>(`/iam/v2/identities/${organization.uid}`, {
    name: "puller",
    claimMatch: { issuer: claims.iss, subject: claims.sub, audience: "https://registry.example" },
  });
  await bindTo(api, team, uid, "registry.pull");
  await open(`identities?group=${organization.uid}&drawer=test-token`);
  const exp = Math.floor(Date.now() / 1000) + 600;
  await page
    .getByRole("textbox", { name: "Token" })
    .fill(tokenOf({ ...claims, aud: "https://registry.example", exp }));
  const can = page
    .getByRole("article", { name: "puller" })
    .getByRole("region", { name: "What the token can do" });
  await expect(can.getByRole("heading", { name: "What it can do with images", exact: true })).toBeVisible();
  await expect(can.getByRole("listitem")).toContainText("Can pull, but not push, in team and below");
  await expect(can.getByText("applies to all 2 repos in team and below")).toBeVisible();

  // The same where the role is given, before it is given.
  await open(`role-bindings?group=${team.uid.replaceAll("/", "_")}&drawer=create`);
  const form = page.getByRole("dialog", { name: "Grant access" });
  await expect(form.getByText("The role applies to all 2 repos in team and below.")).toBeVisible();
});
