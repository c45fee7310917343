import type { Tag } from "~/contract/registry/tags";

import { expect, fault, ownService, test } from "./faulty";
import { param } from "./records";
import { createRepo, createTags, digestOf, NO_IMAGE, table } from "./tags";

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
    await expect(drawer.getByText("digest must be sha256: and 64 hex digits")).toBeVisible();
    await digest.fill(digestOf(2));
    await drawer.getByRole("button", { name: "Move tag" }).click();
    await expect(drawer.getByText("digest names no image of this repo")).toBeVisible();
    await expect(digest).toBeFocused();

    // The service does it, and nobody hears of it.
    proxy.rule(writes, fault.cutAfter, { times: 1 });
    await drawer.getByRole("button", { name: "Move tag" }).click();
    await expect(drawer).toBeHidden();
    await expect(table(page).getByText("sha256:000000000000")).toBeVisible();
    const { tags } = await api.get<{ tags: Tag[] }>(`/registry/v2/tags?uidp.children_of=${repo.uid}`);
    expect(tags.map(({ name, digest: now }) => [name, now])).toEqual([["1.0", digestOf(2)]]);
    await expect(table(page).getByText("Deprecated")).toBeHidden();
  },
);

test(
  "sizes and architectures come for the rows in view, a few at a time, and a host makes commands that work",
  ownService,
  async ({ faulty, problems }) => {
    problems.allow(NO_IMAGE);
    const { page, proxy, api, organization, open, context } = faulty;
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const config = (await (await page.request.get(`${proxy.url}/config.json`)).json()) as object;
    proxy.rule(
      { method: "GET", path: /^\/config\.json$/ },
      fault.answer(200, { ...config, registryHost: "registry.example" }),
    );
    const architectures = fault.answer(200, { architectures: ["s390x", "arm64", "amd64"] });
    const images = proxy.rule(
      { method: "GET", path: /\/digests\/sha256:[^/]+\/architectures$/ },
      architectures,
    );
    const sizes = proxy.rule({ method: "GET", path: /\/size$/ }, fault.answer(200, { size: "34200000" }));
    const refused = proxy.rule(
      { method: "GET", path: /\/size$/, when: ({ query }) => query.get("architecture") === "s390x" },
      fault.status(404),
    );
    const repo = await createRepo(api, organization.uid);
    await createTags(
      api,
      repo.uid,
      Array.from({ length: 120 }, (_, index) => ({ name: `1.${index}`, digest: digestOf(index >> 1) })),
    );
    await page.setViewportSize({ width: 1400, height: 800 });
    await open(`tags?repo=${param(repo)}&order=name`);
    const cell = table(page).getByRole("row", { name: /\b1\.0 / });
    await expect(cell).toContainText("amd64 34.2 MBarm64 34.2 MBs390x —");
    // Of 120 tags a few are in view, two of which name one image.
    await expect
      .poll(() => {
        const asked = images.seen.length;
        return { sizes: sizes.seen.length / asked, refused: refused.seen.length / asked };
      })
      .toEqual({ sizes: 2, refused: 1 });
    expect(images.seen.length).toBeLessThan(25);
    expect(new Set(images.seen.map(({ path }) => path)).size).toBe(images.seen.length);

    await page.getByRole("button", { name: "Actions for 1.0" }).click();
    await page.getByRole("menuitem", { name: "Copy for a program" }).click();
    const pull = page.getByRole("dialog", { name: "Pull 1.0" });
    const reference = `registry.example/${organization.name}/python:1.0`;
    for (const [program, command] of [
      ["Reference", reference],
      ["docker", `docker pull ${reference}`],
      ["podman", `podman pull ${reference}`],
      ["nerdctl", `nerdctl pull ${reference}`],
      ["crictl", `crictl pull ${reference}`],
      ["Kubernetes", `image: ${reference}`],
    ] as const) {
      await pull.getByRole("button", { name: `Copy ${program} by tag` }).click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(command);
    }
    await pull.getByRole("button", { name: "Copy Kubernetes by digest" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `image: registry.example/${organization.name}/python@${digestOf(0)}`,
    );
  },
);
