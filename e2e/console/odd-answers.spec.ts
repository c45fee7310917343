import type { Tag } from "platform-contract/registry/tags";

import { expect, fault, ownService, test } from "../faulty";
import { stands } from "../odd-records";
import { param } from "../records";
import { createRepo, createTags, digestOf } from "../tags";

test(
  "a list that is none says so with its request, and is read when asked again",
  ownService,
  async ({ faulty }) => {
    const { page, proxy, api, open, organization } = faulty;
    await api.post(`/iam/v2/groups/${organization.uid}`, { name: "one-folder" });
    const rule = proxy.rule(
      {
        method: "GET",
        path: /^\/iam\/v2\/groups$/,
        when: ({ query }) => query.has("uidp.descendants_of"),
      },
      fault.json((body) => ({ ...(body as object), groups: [{ name: "no uid" }] })),
    );
    await open(`groups?group=${organization.uid}`);
    await stands(page);
    const main = page.getByRole("main");
    await expect(main.getByText("The service returned an unexpected response.")).toBeVisible();
    await expect(main.getByText(/^Request /)).toBeVisible();
    rule.remove();
    await main.getByRole("button", { name: "Try again" }).click();
    const table = page.getByRole("table", { name: "Groups" });
    await expect(table.getByRole("link", { name: "one-folder" })).toBeVisible();
  },
);

test(
  "where nothing that is asked about groups or people is answered sensibly, the shell stands and claims nothing @long",
  ownService,
  async ({ faulty }) => {
    const { page, proxy, api, open, organization } = faulty;
    await api.post(`/iam/v2/groups/${organization.uid}`, { name: "one-folder" });
    const counted = proxy.rule(
      { method: "GET", path: /^\/iam\/v2\/groups$/ },
      fault.json((body) => ({ ...(body as object), groups: null })),
    );
    await open("");
    await stands(page);
    await expect(page.getByRole("heading", { name: "No access yet" })).toBeHidden();
    await expect(page.getByText("The service returned an unexpected response.")).toBeVisible();
    await open(`identities?group=${organization.uid}`);
    const failed = page.getByRole("treeitem", { name: "Couldn't load the folders. Try again" });
    await expect(failed).toBeVisible();
    counted.remove();
    await failed.click();
    await expect(failed).toBeHidden();

    for (const body of ["<h1>hello", "{", "[]", "42", "null", "", '"text"']) {
      proxy.reset();
      proxy.rule(
        { method: "GET", path: /^\/iam\/v2\/(roleBindings|roles|identities:lookupIdentity)/ },
        fault.edit(() => ({ body })),
      );
      await open(`groups?group=${organization.uid}`);
      await expect(
        page.getByRole("table", { name: "Groups" }).getByRole("link", { name: "one-folder" }),
      ).toBeVisible();
      await page.getByRole("button", { name: /^Your account/ }).click();
      await page.getByText("Roles and session").click();
      await expect(page.getByText(/^Your roles are unknown: the service didn't say/), body).toBeVisible();
      // Unknown permissions are not treated as denied.
      await page.keyboard.press("Escape");
      await expect(page.getByRole("button", { name: "Create folder" })).toBeEnabled();
    }
  },
);

test(
  "what is odd of an image is said in its place, and takes no tag with it @long",
  ownService,
  async ({ faulty }) => {
    const { page, proxy, api, organization, open } = faulty;
    const repo = await createRepo(api, organization.uid);
    const [tag] = await createTags(api, repo.uid, [{ name: "1.0", digest: digestOf(1) }]);
    const sizes: Readonly<Record<string, unknown>> = {
      amd64: "34200000",
      arm64: "many",
      "386": -7,
      "riscv128/of-tomorrow": 9_007_199_254_740_993n.toString(),
    };
    const images = { method: "GET", path: /\/architectures$/ };
    proxy.rule(
      { method: "GET", path: /\/size$/ },
      {
        forward: false,
        answer: (_real, { query }) => ({
          status: 200,
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ size: sizes[query.get("architecture") ?? ""] }),
        }),
      },
    );
    const part = page.getByRole("region", { name: "Architectures" });
    for (const [architectures, said] of [
      [null, "No architectures."],
      ["amd64", /returned an unexpected response/],
    ] as const) {
      const rule = proxy.rule(images, fault.answer(200, { architectures }));
      await open(`tags/${param(tag as Tag)}`);
      await expect(part.getByText(said)).toBeVisible();
      await stands(page);
      rule.remove();
    }
    proxy.rule(images, fault.answer(200, { architectures: [...Object.keys(sizes), ""] }));
    await open(`tags/${param(tag as Tag)}`);
    await expect(part.getByRole("row")).toHaveText([
      "ArchitectureSize",
      "amd6434.2 MB",
      /^arm64.*unknown/,
      /^386.*unknown/,
      /^riscv128\/of-tomorrow9,007 TB$/,
    ]);
    await page.setViewportSize({ width: 1400, height: 800 });
    await open(`tags?repo=${param(repo)}`);
    await expect(page.getByRole("table", { name: "Tags" }).getByRole("row", { name: /1\.0/ })).toContainText(
      "amd64 34.2 MBarm64 —386 —riscv128/of-tomorrow 9,007 TB",
    );
  },
);

test(
  "an advisory that nobody expected stands, and what it refers to leads to the web alone @long",
  ownService,
  async ({ faulty }) => {
    const { page, proxy, open, organization } = faulty;
    const uid = `${organization.uid}/0123456789abcdef`;
    const events = [
      { uid: "a", reviewState: "REVIEW_STATE_APPROVED", judgedByTomorrow: {} },
      {
        uid: "b",
        reviewState: "REVIEW_STATE_ASLEEP",
        createTime: "yesterday",
        fixed: {},
        findings: "not base64!",
      },
      {
        uid: "c",
        reviewState: "REVIEW_STATE_APPROVED",
        falsePositiveDetermination: { type: "TYPE_OF_TOMORROW" },
      },
    ];
    const severities = [{ type: "TYPE_CVSS_V9", score: "CVSS:9.9/AV:N" }, {}, { score: "7.5" }];
    const advisory = {
      uid,
      aliases: ["CVE-2026-1", "x".repeat(500)],
      artifactName: "n".repeat(500),
      events,
      severities,
    };
    const references = ["javascript:alert(1)", "data:text/html,hello", "https://advisories.example/1"];
    const metadata = {
      id: "CVE-2026-1",
      details: "<img src=x>",
      references: references.map((url) => ({ url })),
    };
    const list = /^\/vulnerabilities\/v2\/advisories$/;
    proxy.rule({ method: "GET", path: list }, fault.answer(200, { advisories: [advisory] }));
    proxy.rule(
      { method: "GET", path: /^\/vulnerabilities\/v2\/advisories\/.+/ },
      fault.answer(200, advisory),
    );
    proxy.rule(
      { method: "GET", path: /^\/advisory\/v2\/metadata$/ },
      fault.answer(200, { vulnerabilityMetadata: [metadata] }),
    );
    await open(`advisories?group=${organization.uid}`);
    await expect(page.getByRole("table", { name: "Advisories" }).getByText("High 7.5")).toBeVisible();
    await open(`advisories/${param({ uid })}`);
    await expect(page.getByText("Unknown event")).toBeVisible();
    await page.getByText("Scanner findings").click();
    await expect(page.getByText("Not valid base64. Showing the raw text.")).toBeVisible();
    await expect(page.getByText("CVSS:9.9/AV:N is not a CVSS vector, number or word.")).toBeVisible();
    const links = page.getByRole("list", { name: "References of CVE-2026-1" });
    await expect(links.getByText("javascript:alert(1)")).toBeVisible();
    await expect(links.getByRole("link")).toHaveText([/^https:\/\/advisories\.example\/1 /]);
    await stands(page);
    await open("affected?id=CVE-2026-1");
    await expect(page.getByText(/^Not affected: n+$/)).toBeVisible();
    await stands(page);
  },
);
