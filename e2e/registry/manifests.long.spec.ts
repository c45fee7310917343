import { bind } from "../bindings";
import { expect, fault, ownService, test, type Faulty } from "../faulty";
import { countRefused, exhaust } from "../rate-limit";
import { folder } from "../records";
import { makeRepo } from "../repos";
import { createTags, digestOf } from "../tags";

const READ = /\/registry\/v2\/(?:repos|tags)$/;
const versions = (count: number) => Array.from({ length: count }, (_, index) => `1.0.${index}`);

async function makeTagged(person: Faulty, name: string, count: number, parent?: string) {
  const repo = await makeRepo(person, { name }, parent);
  await createTags(
    person.api,
    repo.uid,
    versions(count).map((version, index) => ({ name: version, digest: digestOf(index) })),
  );
}

const imagesOf = ({ organization }: Faulty, repo: string, count: number): string =>
  versions(count)
    .map((version) => `image: ${organization.name}/${repo}:${version}`)
    .join("\n");

for (const [what, effect] of Object.entries({
  "answers are lost": fault.cutAfter,
  "the service fails": fault.status(500),
}))
  test(
    `images that weren't checked because ${what} say so, until they are checked @long`,
    ownService,
    async ({ faulty }) => {
      const { page, open, proxy } = faulty;
      await makeTagged(faulty, "web", 3);
      await open("manifests");
      await page.getByLabel("Manifest").fill(imagesOf(faulty, "web", 3));
      const failing = proxy.rule({ method: "GET", path: READ }, effect);
      await page.getByRole("button", { name: "Check images" }).click();
      await expect(page.getByText("3 images: 3 not checked.")).toBeVisible({ timeout: 45_000 });
      await expect(page.getByText("Some images couldn't be checked")).toBeVisible();
      failing.remove();
      await page.getByRole("button", { name: "Try again" }).click();
      await expect(page.getByText("3 images: 3 current.")).toBeVisible({ timeout: 30_000 });
      await expect(page.getByText("Some images couldn't be checked")).toBeHidden();
      // It reads, and never writes.
      expect(
        proxy.seen.filter(({ method, path }) => method !== "GET" && path.includes("/registry/")),
      ).toEqual([]);
    },
  );

test(
  "images of a repo that the reader can't see are unknown, and the page says that access can be why @long",
  ownService,
  async ({ faulty, signUpBehind }) => {
    const { api, organization } = faulty;
    const own = await folder(api, organization, "own");
    await makeTagged(faulty, "mine", 1, own.uid);
    await makeTagged(faulty, "theirs", 1);
    const reader = await signUpBehind();
    await bind(api, organization, reader, ["CAP_IAM_GROUPS_LIST"]);
    await bind(api, own, reader, ["CAP_IAM_GROUPS_LIST", "CAP_REPO_LIST", "CAP_TAG_LIST"]);
    const { page } = reader;
    await reader.open("manifests");
    await page
      .getByLabel("Manifest")
      .fill(`${imagesOf(faulty, "mine", 1)}\n${imagesOf(faulty, "theirs", 1)}`);
    await page.getByRole("button", { name: "Check images" }).click();
    await expect(page.getByText("2 images: 1 unknown, 1 current.")).toBeVisible();
    await expect(page.getByText(/No repo that you can see is/).first()).toBeVisible();
    expect(await reader.api.get("/registry/v2/repos?name=theirs")).not.toHaveProperty("repos.0");
  },
);

test.describe("with a limit of requests", () => {
  test.use({ serviceVariables: { RATE_LIMIT: "3" } });

  test(
    "more images than the service answers at once are all checked in the end @long",
    ownService,
    async ({ faulty }) => {
      test.setTimeout(180_000);
      const { page, api, open, proxy } = faulty;
      await makeTagged(faulty, "web", 20);
      await open("manifests");
      await page.getByLabel("Manifest").fill(imagesOf(faulty, "web", 20));
      const refused = countRefused(proxy, READ);
      const { stop } = await exhaust(api);
      await page.getByRole("button", { name: "Check images" }).click();
      await expect.poll(refused.count, { timeout: 60_000 }).toBeGreaterThan(0);
      await stop();
      const again = page.getByRole("button", { name: "Try again" });
      await expect(async () => {
        if (await again.isVisible()) await again.click();
        await expect(page.getByText("20 images: 20 current.")).toBeVisible({ timeout: 5_000 });
      }).toPass({ timeout: 150_000 });
    },
  );
});
