import type { APIRequestContext } from "@playwright/test";
import type { Group } from "platform-contract/iam/groups";
import type { Identity } from "platform-contract/iam/identities";
import type { Repo } from "platform-contract/registry/repos";
import type { Tag } from "platform-contract/registry/tags";

import { expect, ownService, test } from "../faulty";
import { hasNoFinding } from "../lists";
import { param } from "../records";

const SECRET = "secret-of-the-notifications";
// Nobody answers there: tokens and counts of pulls need no registry.
test.use({ serviceVariables: { REGISTRY_URL: "http://127.0.0.1:9", REGISTRY_EVENTS_SECRET: SECRET } });

/** What a pull token gets at a repository. */
async function accessOf(request: APIRequestContext, url: string, token: string, repository: string) {
  const answer = await request.get(`${url}/registry/token?scope=repository:${repository}:pull,push`, {
    headers: { authorization: `Basic ${Buffer.from(`pull-token:${token}`).toString("base64")}` },
  });
  return answer.status() === 200 ? ((await answer.json()) as { scope: string }).scope : answer.status();
}

const digest = `sha256:${"d".repeat(64)}`;
/** As many notifications as the service writes at once instead of at the end of the minute. */
const MANY = 20_000;

/** Sends the pulls of a tag as a registry does. */
async function pull(request: APIRequestContext, url: string, repository: string, tag: string, actor: string) {
  const target = { repository, tag, digest, mediaType: "application/vnd.oci.image.manifest.v1+json" };
  const answer = await request.post(`${url}/registry/events`, {
    headers: { authorization: `Bearer ${SECRET}` },
    data: {
      events: Array.from({ length: MANY }, (_, index) => ({
        id: `${actor.slice(-8)}-${index}`,
        action: "pull",
        target,
        request: { method: "GET" },
        actor: { name: actor },
      })),
    },
  });
  expect(answer.status()).toBe(200);
}

test(
  "pulls show on repo, tag and identity, and a deprecated tag that is still pulled with who pulls it",
  ownService,
  async ({ faulty, page }) => {
    const { api, organization, open, proxy } = faulty;
    const repo = await api.post<Repo>(`/registry/v2/repos/${organization.uid}`, { name: "base" });
    const old = await api.post<Tag>(`/registry/v2/tags/${repo.uid}`, {
      name: "old",
      digest,
      deprecated: true,
    });
    await api.post(`/registry/v2/tags/${repo.uid}`, { name: "fresh", digest: digest.replaceAll("d", "e") });
    const ci = await api.post<Identity>(`/iam/v2/identities/${organization.uid}`, {
      name: "deploy",
      claimMatch: { issuer: "https://issuer.example", subject: "deploy" },
    });
    const { namespace } = await api.get<Group>(`/iam/v2/groups/${organization.uid}`);
    await pull(page.request, proxy.url, `${namespace}/base`, "old", ci.uid);
    // So many are written in parts.
    const counted = async () => {
      const path = `/registry-usage/v1/usage?uidp.ids=${repo.uid}`;
      return (await api.get<{ usage?: { downloads?: number }[] }>(path)).usage?.[0]?.downloads;
    };
    await expect.poll(counted, { timeout: 60_000 }).toBe(20_000);

    await open(`repos/${param(repo)}`);
    const who = page.getByRole("region", { name: /^Who pulls/ });
    await expect(who.getByRole("row", { name: /deploy/ })).toContainText("20,000");
    await hasNoFinding(page, "main");
    await who.getByRole("link", { name: "deploy" }).click();
    const what = page.getByRole("region", { name: /^What it pulls/ });
    await expect(what.getByRole("row", { name: /base/ })).toContainText("20,000");

    await page.setViewportSize({ width: 1700, height: 900 });
    await open(`tags?repo=${param(repo)}`);
    const row = (name: string) => page.getByRole("row", { name: new RegExp(`^(?:Select )?${name}`) });
    await expect(row("old")).toContainText("20,000");
    await expect(row("fresh")).toContainText("Not yet");

    await open(`?group=${param(organization)}`);
    await page.getByRole("link", { name: "1 deprecated tag still pulled" }).click();
    await expect(
      page.getByRole("button", { name: /Remove filter "Deprecated and still pulled"/ }),
    ).toBeVisible();
    await expect(row("old").getByRole("link", { name: "deploy" })).toBeVisible();
    await expect(row("fresh")).toBeHidden();
    await open(`tags/${param(old)}`);
    await expect(page.getByRole("region", { name: /^Who pulls/ })).toContainText("deploy");
  },
);

test(
  "a pull token for one repo takes four clicks, gets that repo alone, and is shown once",
  ownService,
  async ({ faulty, page }) => {
    const { api, organization, open, proxy } = faulty;
    const [repo] = await Promise.all(
      ["app", "other"].map((name) => api.post<Repo>(`/registry/v2/repos/${organization.uid}`, { name })),
    );
    const { namespace } = await api.get<Group>(`/iam/v2/groups/${organization.uid}`);
    await open(`repos/${param(repo as Repo)}`);
    await page.getByRole("button", { name: /^Actions|^More/ }).click();
    await page.getByRole("menuitem", { name: "Create pull token" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByLabel("Can pull")).toHaveValue((repo as Repo).uid);
    await hasNoFinding(page, "[role=dialog]");
    await dialog.getByRole("button", { name: "Create token" }).click();
    await expect(dialog.getByText("Copy it now.")).toBeVisible();
    const token = (await dialog.getByLabel("pull token", { exact: true }).textContent()) ?? "";
    await dialog.getByText("Kubernetes", { exact: true }).click();
    await expect(dialog.locator("pre").last()).toContainText("kubernetes.io/dockerconfigjson");
    await hasNoFinding(page, "[role=dialog]");
    await dialog.getByRole("button", { name: "Done" }).click();
    await expect(dialog).toBeHidden();

    const access = (name: string) => accessOf(page.request, proxy.url, token, `${namespace}/${name}`);
    expect([await access("app"), await access("other")]).toEqual([`repository:${namespace}/app:pull`, ""]);
    const refused = await page.request.get(`${proxy.url}/iam/v2/groups`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(refused.status()).toBe(401);
    await page.reload();
    await expect(page.getByRole("main")).toBeVisible();
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(kept).not.toContain(token.slice(-40));
  },
);

test(
  "a pull token is replaced by one for the same repo; the one before works until its key is retired",
  ownService,
  async ({ faulty, page }) => {
    const { api, organization, open, proxy } = faulty;
    const [repo] = await Promise.all(
      ["app", "other"].map((name) => api.post<Repo>(`/registry/v2/repos/${organization.uid}`, { name })),
    );
    const { namespace } = await api.get<Group>(`/iam/v2/groups/${organization.uid}`);
    const dialog = page.getByRole("dialog");
    const create = async (): Promise<string> => {
      await dialog.getByRole("button", { name: "Create token" }).click();
      await expect(dialog.getByText("Copy it now.")).toBeVisible();
      const token = await dialog.getByLabel("pull token", { exact: true }).textContent();
      await dialog.getByRole("button", { name: "Done" }).click();
      return token ?? "";
    };
    await open(`identities?group=${param(organization)}&drawer=pull-token&item=${param(repo as Repo)}`);
    const old = await create();
    const { identities: [identity] = [] } = await api.get<{ identities?: Identity[] }>(
      `/iam/v2/identities?uidp.children_of=${organization.uid}`,
    );
    await open(`identities/${param(identity as Identity)}`);
    const keys = page.getByRole("region", { name: /^Keys/ }).first();
    const retire = keys.getByRole("button", { name: /^Retire key/ });
    await expect(keys.getByRole("button", { name: "Add key" })).toBeHidden();
    await keys.getByRole("button", { name: "Replace token" }).click();
    await expect(dialog.getByText(`${namespace}/app`)).toBeVisible();
    await hasNoFinding(page, "[role=dialog]");
    const fresh = await create();
    const access = async (token: string) =>
      Promise.all(
        ["app", "other"].map((name) => accessOf(page.request, proxy.url, token, `${namespace}/${name}`)),
      );
    const one = [`repository:${namespace}/app:pull`, ""];
    expect([await access(old), await access(fresh)]).toEqual([one, one]);

    await expect(retire).toHaveCount(2);
    await retire.first().click();
    await dialog.getByRole("button", { name: "Retire key" }).click();
    await expect(retire).toHaveCount(1);
    expect([await access(old), await access(fresh)]).toEqual([[401, 401], one]);
  },
);

test("without a registry, what needs one leads to the place that says how to connect it", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  const repo = await api.post<Repo>(`/registry/v2/repos/${organization.uid}`, { name: "base" });
  await open(`repos/${param(repo)}`);
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.getByRole("button", { name: /^Actions|^More/ }).click();
  await page.getByRole("menuitem", { name: "Create pull token" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "How to connect one" }).click();
  await expect(page.getByRole("heading", { name: "Platform status" })).toBeAttached();
  await expect(page.getByText("sets REGISTRY_URL")).toBeInViewport();
});
