import type { Locator } from "@playwright/test";

import type { Tag } from "platform-contract/registry/tags";

import { LONG, ownService, test } from "../faulty";
import { again, FAULTS, givenUp, recovers } from "../read-faults";
import { param } from "../records";
import { createRepo, createTags, digestOf, NO_IMAGE } from "../tags";

test(
  "whatever happens to what a page is about, it says so and comes back",
  ownService,
  async ({ faulty, problems }) => {
    // Every screen with every fault, each with all automatic retries.
    test.setTimeout(LONG ? 900_000 : 180_000);
    problems.allow(NO_IMAGE);
    const { page, proxy, api, organization, open } = faulty;
    const repo = await createRepo(api, organization.uid);
    const [tag, other] = await createTags(
      api,
      repo.uid,
      ["1.0", "1.1"].map((name, index) => ({ name, digest: digestOf(index) })),
    );
    const role = await api.post<{ uid: string }>(`/iam/v2/roles/${organization.uid}`, {
      name: "reader",
      capabilities: ["CAP_TAG_LIST"],
    });
    const tagPath = new RegExp(`/tags/${tag?.uid}$`);
    const screens: readonly [path: string, request: RegExp, found: Locator][] = [
      [`tags/${param(tag as Tag)}`, tagPath, page.getByRole("heading", { name: "1.0", level: 1 })],
      [
        `repos/${param(repo)}`,
        new RegExp(`/repos/${repo.uid}$`),
        page.getByRole("heading", { name: "python", level: 1 }),
      ],
      [
        "people",
        /^\/iam\/v2\/identities$/,
        page.getByRole("table", { name: "People" }).getByRole("link").first(),
      ],
      [
        `tags/compare?a=${param(tag as Tag)}&b=${param(other as Tag)}`,
        tagPath,
        page.getByRole("columnheader", { name: "1.0" }),
      ],
      [
        `roles/${param(role)}`,
        new RegExp(`/roles/${role.uid}$`),
        page.getByRole("heading", { name: "reader", level: 1 }),
      ],
      [`repos/${param(repo)}`, /\/readme$/, page.getByText("No readme yet")],
      [
        "affected?id=CVE-1999-1",
        /^\/vulnerabilities\/v2\/advisories$/,
        page.getByRole("heading", { name: "No advisory here mentions CVE-1999-1" }),
      ],
    ];
    await page.clock.install();
    // Each screen meets a different fault; `npm run test:long` tests every screen with every fault.
    for (const [turn, [path, request, found]] of screens.entries())
      for (const [index, [what, effect]] of Object.entries(FAULTS).entries()) {
        if (!LONG && index !== (2 * turn) % Object.keys(FAULTS).length) continue;
        const rule = proxy.rule({ method: "GET", path: request }, effect);
        await open(path);
        await givenUp(page, again(page), `${path}, ${what}`);
        rule.remove();
        await recovers(again(page), found, `${path}, ${what}`);
      }
  },
);
