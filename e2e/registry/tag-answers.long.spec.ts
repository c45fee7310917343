import type { Page } from "@playwright/test";

import type { Repo } from "platform-contract/registry/repos";
import type { Tag } from "platform-contract/registry/tags";

import { connect, type Api } from "../api";
import { expect, fault, ownService, test as base, type Faulty } from "../faulty";
import { param } from "../records";
import { allTags, createRepo, createTags, digestOf, names, NO_IMAGE, table } from "../tags";

/** A user who reads the demo organization: nothing else in the service has images. */
interface Viewer extends Pick<Faulty, "proxy" | "page" | "context" | "api" | "open"> {
  /** The largest repo of the demo. */
  readonly python: Repo;
}

const test = base.extend<{ readonly viewer: Viewer }>({
  viewer: async ({ page, context, proxied: { proxy, direct } }, use) => {
    const at = `${proxy.url}/`;
    await page.goto(at);
    await page.getByLabel("Email").fill("viewer@demo.example");
    await page.getByLabel("Password").fill("platform-demo");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("heading", { name: "Your access" })).toBeVisible();
    const api = await connect(context.request, at, { direct });
    const { repos } = await api.get<{ repos: [Repo] }>("/registry/v2/repos?name=python");
    proxy.reset();
    const open = async (path: string) => void (await page.goto(new URL(path, at).href));
    await use({ proxy, page, context, api, open, python: repos[0] });
  },
});

test.use({ serviceVariables: { SEED: "demo", REGISTRY_HOST: "registry.example" } });
// Run in one worker, so that the demo is seeded once.
test.describe.configure({ mode: "default" });

/** Returns an image's bytes by architecture, from the API. */
async function sizesOf(api: Api, { uid }: Repo, { digest }: Tag): Promise<Record<string, number>> {
  const image = `/registry/v2/repos/${uid}/digests/${digest}`;
  const { architectures } = await api.get<{ architectures: string[] }>(`${image}/architectures`);
  const sizes: Record<string, number> = {};
  for (const architecture of architectures) {
    const { size } = await api.get<{ size: string }>(`${image}/size?architecture=${architecture}`);
    sizes[architecture] = Number(size);
  }
  return sizes;
}

const megabytes = (bytes: number): string =>
  `${(bytes / 1e6).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;

const rowOf = (page: Page, name: string) =>
  table(page)
    .getByRole("row")
    .filter({ has: page.getByRole("link", { name, exact: true }) });

test(
  "a violation that only a service can find stands under its field, and a lost answer is looked for",
  ownService,
  async ({ faulty, problems }) => {
    problems.allow(NO_IMAGE);
    const { page, proxy, api, organization, open } = faulty;
    const repo = await createRepo(api, organization.uid);
    await createTags(api, repo.uid, [{ name: "1.0", digest: digestOf(1), deprecated: true }]);
    const violation = {
      code: 3,
      message: "The tag is not valid.",
      details: [
        {
          "@type": "type.googleapis.com/google.rpc.BadRequest",
          fieldViolations: [{ field: "tag.digest", description: "digest names no image of this repo" }],
        },
      ],
    };
    const writes = { method: "POST", path: /^\/registry\/v2\/tags\// };
    proxy.rule(writes, fault.answer(400, violation), { times: 1 });
    await open(`tags?repo=${param(repo)}&drawer=create`);
    const drawer = page.getByRole("dialog", { name: "Create tag" });
    const digest = drawer.getByRole("textbox", { name: "Digest", exact: true });
    await drawer.getByRole("textbox", { name: "Name", exact: true }).fill("1.0");
    await digest.fill("latest");
    await drawer.getByRole("button", { name: /^(?:Create|Move) tag$/ }).click();
    await expect(drawer.getByText("Must be sha256: followed by 64 hex digits")).toBeVisible();
    await digest.fill(digestOf(2));
    await drawer.getByRole("button", { name: "Move tag" }).click();
    await expect(drawer.getByText("digest names no image of this repo")).toBeVisible();
    await expect(digest).toBeFocused();

    // The service moves the tag, but the response is lost.
    proxy.rule(writes, fault.cutAfter, { times: 1 });
    await drawer.getByRole("button", { name: "Move tag" }).click();
    await expect(drawer).toBeHidden();
    await expect(table(page).getByText("sha256:000000000000")).toBeVisible();
    const { tags } = await api.get<{ tags: Tag[] }>(`/registry/v2/tags?uidp.children_of=${repo.uid}`);
    // What the form doesn't change, the tag keeps.
    expect(tags).toMatchObject([{ name: "1.0", digest: digestOf(2), deprecated: true }]);
    await expect(table(page).getByText("Deprecated")).toBeVisible();
  },
);

test(
  "architectures and sizes are those of the images: in the list, on the page of a tag, and between two tags",
  ownService,
  async ({ viewer }) => {
    const { page, api, open, python } = viewer;
    const tags = await allTags(api, python.uid);
    await page.setViewportSize({ width: 1400, height: 800 });
    await open(`tags?repo=${param(python)}&order=name`);
    await expect.poll(() => names(page).then(({ length }) => length)).toBeGreaterThan(8);
    const shown = (await names(page)).slice(0, 8).map((name) => tags.find((tag) => tag.name === name) as Tag);
    const known = await Promise.all(
      shown.map(async (tag) => ({ ...tag, sizes: await sizesOf(api, python, tag) })),
    );
    for (const { name, sizes } of known) {
      expect(Object.keys(sizes).toSorted()).toEqual(["amd64", "arm64"]);
      const { amd64 = 0, arm64 = 0 } = sizes;
      await expect(rowOf(page, name)).toContainText(`amd64 ${megabytes(amd64)}arm64 ${megabytes(arm64)}`);
    }

    // Two images whose sizes differ by enough to be shown in megabytes.
    const one = known[0] as (typeof known)[number];
    const by = (other: typeof one, architecture: string): number =>
      (other.sizes[architecture] ?? 0) - (one.sizes[architecture] ?? 0);
    const other = known.find((each) =>
      ["amd64", "arm64"].every((architecture) => Math.abs(by(each, architecture)) >= 1e6),
    ) as typeof one;
    await table(page).getByRole("link", { name: one.name, exact: true }).click();
    const image = page.getByRole("region", { name: /^Architectures/ });
    await expect(image.getByRole("row")).toHaveText([
      "ArchitectureSize",
      ...["amd64", "arm64"].map((each) => `${each}${megabytes(one.sizes[each] ?? 0)}`),
    ]);

    await page.getByRole("button", { name: `More actions for python:${one.name}` }).click();
    await page.getByRole("menuitem", { name: "Compare with another tag" }).click();
    await page.getByRole("textbox", { name: `Compare ${one.name} with` }).fill(other.name);
    await page.getByRole("button", { name: "Compare tags" }).click();
    const compared = page.getByRole("table");
    for (const architecture of ["amd64", "arm64"]) {
      const [size, difference] = [one.sizes[architecture] ?? 0, by(other, architecture)];
      const share = Math.abs((100 * difference) / size).toLocaleString("en", { maximumFractionDigits: 1 });
      await expect(
        compared.getByRole("row", { name: new RegExp(`^${architecture}`) }).getByRole("cell"),
      ).toHaveText([
        megabytes(size),
        megabytes(other.sizes[architecture] ?? 0),
        `${difference > 0 ? "+" : "\u2212"}${megabytes(Math.abs(difference))} (${share}%)`,
      ]);
    }
  },
);

test(
  "images are asked about once, for the rows in view; a size that is refused is a dash, and the host makes commands",
  ownService,
  async ({ viewer, problems }) => {
    const { page, context, proxy, api, open, python } = viewer;
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    problems.allow(/status of 404 .*\/size\?architecture=arm64/);
    const refused = proxy.rule(
      { method: "GET", path: /\/size$/, when: ({ query }) => query.get("architecture") === "arm64" },
      fault.status(404),
    );
    const tags = await allTags(api, python.uid);
    const tag = tags.find(({ name }) => name === "3.10") as Tag;
    const { amd64 = 0 } = await sizesOf(api, python, tag);
    await page.setViewportSize({ width: 1400, height: 800 });
    await open(`tags?repo=${param(python)}&order=name`);
    await expect(rowOf(page, "3.10")).toContainText(`amd64 ${megabytes(amd64)}arm64 —`);
    const asked = (path: RegExp) => proxy.seen.filter((request) => path.test(request.path));
    // Only for images in view, of more than two hundred: one request for architectures, then one for each of two sizes.
    await expect
      .poll(() => {
        const images = asked(/\/digests\/sha256:[^/]+\/architectures$/).length;
        return { sizes: asked(/\/size$/).length / images, refused: refused.seen.length / images };
      })
      .toEqual({ sizes: 2, refused: 1 });
    const images = asked(/\/architectures$/).map(({ path }) => path);
    expect(images.length).toBeLessThan(50);
    expect(new Set(images).size).toBe(images.length);

    await page.getByRole("button", { name: "Actions for 3.10", exact: true }).click();
    await page.getByRole("menuitem", { name: "Copy pull command…" }).click();
    const pull = page.getByRole("dialog", { name: "Pull 3.10" });
    const reference = "registry.example/meridian-freight/python:3.10";
    for (const [program, command] of [
      ["docker", `docker pull ${reference}`],
      ["podman", `podman pull ${reference}`],
      ["nerdctl", `nerdctl pull ${reference}`],
      ["crictl", `crictl pull ${reference}`],
      ["Kubernetes", `image: ${reference}`],
      ["Reference only", reference],
    ] as const) {
      await pull.getByRole("combobox", { name: "Tool" }).selectOption(program);
      await pull.getByRole("button", { name: /^Copy (command|reference)$/ }).click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(command);
    }
    await pull.getByRole("combobox", { name: "Tool" }).selectOption("Kubernetes");
    await pull.getByRole("radio", { name: "By digest" }).check();
    await pull.getByRole("button", { name: "Copy command" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `image: registry.example/meridian-freight/python@${tag.digest}`,
    );
  },
);
