import { decodeJwt, type JSONWebKeySet } from "jose";
import type { Group } from "platform-contract/iam/groups";
import type { Repo } from "platform-contract/registry/repos";
import type { Tag } from "platform-contract/registry/tags";

import { OCI_MANIFEST, putImage, startRegistry, type TestRegistry } from "../../server/testing/registry";
import { expect, ownService, test as base } from "../faulty";
import { hasNoFinding } from "../lists";
import { param } from "../records";
import { tokensOf } from "../tabs";
import { digestOf } from "../tags";

const SECRET = "secret-of-the-notifications";

/** A service with a small registry behind it. */
const test = base.extend<{ registry: TestRegistry }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from this pattern what a fixture needs
  registry: async ({}, use) => {
    const registry = await startRegistry();
    await use(registry);
    await registry.stop();
  },
  serviceVariables: async ({ registry }, use) => {
    await use({ REGISTRY_URL: registry.url, REGISTRY_EVENTS_SECRET: SECRET });
  },
});

/** Something that cosign attaches to an image, under a tag of its own. */
function attach(registry: TestRegistry, name: string, tag: string, mediaType: string): void {
  const config = { mediaType: "application/vnd.oci.image.config.v1+json", ...registry.putBlob(name, "{}") };
  const layers = [{ mediaType, ...registry.putBlob(name, `{"of":"${tag}"}`) }];
  registry.put(name, { schemaVersion: 2, mediaType: OCI_MANIFEST, config, layers }, tag);
}

test(
  "a tag's page says who pushed its image and what is attached, and Status in what the registry differed @long",
  ownService,
  async ({ registry, faulty, page }) => {
    const { api, organization, open, proxy } = faulty;
    const { request } = page;
    const keys = await request.get(`${proxy.url}/registry/jwks.json`);
    registry.trust(`${proxy.url}/registry`, (await keys.json()) as JSONWebKeySet);
    const { namespace } = await api.get<Group>(`/iam/v2/groups/${organization.uid}`);
    const repo = await api.post<Repo>(`/registry/v2/repos/${organization.uid}`, { name: "base" });
    const name = `${namespace}/base`;
    const { digest } = putImage(registry, name, { tag: "1.0" });
    const stem = digest.replace(":", "-");
    attach(registry, name, `${stem}.sig`, "application/vnd.dev.cosign.simplesigning.v1+json");
    attach(registry, name, `${stem}.att`, "application/vnd.dsse.envelope.v1+json");

    await open("");
    const { accessToken = "" } = (await tokensOf(page)) ?? {};
    const answer = await request.get(`${proxy.url}/registry/token?scope=repository:${name}:pull,push`, {
      headers: { authorization: `Basic ${Buffer.from(`me:${accessToken}`).toString("base64")}` },
    });
    const { token } = (await answer.json()) as { token: string };
    const target = (tag: string) => ({ repository: name, tag, digest, mediaType: OCI_MANIFEST });
    const actor = { name: decodeJwt(token).sub };
    const told = await request.post(`${proxy.url}/registry/events`, {
      headers: { authorization: `Bearer ${SECRET}` },
      data: {
        events: ["1.0", `${stem}.sig`, `${stem}.att`].map((tag) => ({
          id: tag,
          action: "push",
          target: target(tag),
          actor,
        })),
      },
    });
    expect(told.status()).toBe(200);
    const tagNamed = async (wanted: string): Promise<Tag | undefined> =>
      (await api.get<{ tags?: Tag[] }>(`/registry/v2/tags?uidp.children_of=${repo.uid}&name=${wanted}`))
        .tags?.[0];
    await expect.poll(() => tagNamed("1.0")).toBeDefined();

    const seen = page.getByRole("region", { name: "In the registry" });
    await expect(async () => {
      await open(`tags/${param((await tagNamed("1.0")) as Tag)}`);
      await expect(seen.getByRole("row", { name: /^Attestation, not verified/ })).toBeVisible({
        timeout: 2_000,
      });
    }).toPass();
    await expect(seen.getByRole("row", { name: /^Signature, not verified/ })).toBeVisible();
    await expect(seen.getByText("application/vnd.dev.cosign.simplesigning.v1+json")).toBeVisible();
    await expect(seen.getByText("Pushed by")).toBeVisible();
    await expect(seen.getByText("abc", { exact: true })).toBeVisible();
    await hasNoFinding(page, "main");

    // Without notifications: what the first comparison finds, a minute after the start.
    await api.post(`/registry/v2/tags/${repo.uid}`, { name: "gone", digest: digestOf(7) });
    putImage(registry, name, { tag: "2.0", content: "another layer" });
    const differences = page.getByRole("region", { name: /^Differences from the registry/ });
    await expect(async () => {
      await open("status");
      await expect(differences.getByRole("row", { name: /:2\.0/ })).toContainText("The tag wasn't here", {
        timeout: 5_000,
      });
    }).toPass({ timeout: 120_000 });
    await expect(differences.getByRole("row", { name: /:gone/ })).toContainText("doesn't have this tag");
    await expect(differences.getByRole("row", { name: /:gone/ })).toContainText("Corrected");
    await hasNoFinding(page, "main");
  },
);
