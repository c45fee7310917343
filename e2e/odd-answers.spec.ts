import type { Tag } from "~/contract/registry/tags";

import { expect, fault, ownService, test } from "./faulty";
import { stands } from "./odd-records";
import { param } from "./records";
import { createRepo, createTags, digestOf } from "./tags";

/** A page token that leads to itself. */
const ROUND = "round";

/** What a service may say of a list, and the sentence that the screen then has for it; without one it is a list as any other. */
const ENVELOPES: readonly [what: string, change: (body: object) => object, sentence?: RegExp][] = [
  ["no total", (body) => ({ ...body, totalCount: undefined })],
  ["a total below nought", (body) => ({ ...body, totalCount: "-7" })],
  ["a total beyond all numbers", (body) => ({ ...body, totalCount: "9".repeat(40) })],
  [
    "an exact total that no number holds",
    (body) => ({ ...body, totalCount: "9007199254740993" }),
    /sends only 1/,
  ],
  [
    "rows under another plural",
    ({ groups, identities, tags, ...body }: ListBody) => ({ ...body, record: groups ?? identities ?? tags }),
  ],
  [
    "a next page that is the same again",
    (body) => ({ ...body, nextPageToken: ROUND }),
    /leads from the last page back to it/,
  ],
  [
    "no rows where it counts some",
    (body) => ({ ...body, groups: null, identities: null, tags: null }),
    /counts 1, and sends none/,
  ],
  [
    "rows that are none",
    () => ({ groups: "many", identities: { a: 1 }, tags: 7 }),
    /not what this console expects/,
  ],
];

interface ListBody {
  readonly groups?: unknown;
  readonly identities?: unknown;
  readonly tags?: unknown;
}

test(
  "a list that says odd things of itself shows its rows, or says what is wrong",
  ownService,
  async ({ faulty }) => {
    test.slow();
    const { page, proxy, api, open, organization } = faulty;
    await api.post(`/iam/v2/groups/${organization.uid}`, { name: "one-folder" });
    await api.post(`/iam/v2/identities/${organization.uid}`, {
      name: "one-identity",
      claimMatch: { issuer: "https://issuer.example", subject: "one" },
    });
    const repo = await createRepo(api, organization.uid);
    await createTags(api, repo.uid, [{ name: "one-tag", digest: digestOf(1) }]);
    const lists = [
      ["Groups", `groups?group=${organization.uid}`, "one-folder"],
      ["Identities", `identities?group=${organization.uid}`, "one-identity"],
      ["Tags", `tags?repo=${param(repo)}`, "one-tag"],
    ] as const;
    for (const [index, [what, change, sentence]] of ENVELOPES.entries()) {
      const [label, path, row] = lists[index % lists.length] as (typeof lists)[number];
      const rule = proxy.rule(
        {
          method: "GET",
          path: /^\/(iam\/v2\/(groups|identities)|registry\/v2\/tags)$/,
          when: ({ query }) => query.has("uidp.descendants_of") || query.get("uidp.children_of") === repo.uid,
        },
        fault.json((body) => change(body as object)),
      );
      const again = proxy.rule(
        { method: "GET", path: /./, when: ({ query }) => query.get("page_token") === ROUND },
        fault.answer(200, { groups: [], identities: [], tags: [], nextPageToken: ROUND }),
      );
      await open(path);
      await stands(page);
      const shown = page.getByRole("table", { name: label }).getByRole("link", { name: row });
      const rows = !/no rows|rows that are none/.test(what);
      if (rows) await expect(shown, what).toBeVisible();
      if (sentence) await expect(page.getByRole("main").getByText(sentence), what).toBeVisible();
      else await expect(page.getByRole("note"), what).toBeHidden();
      rule.remove();
      again.remove();
      if (!rows) {
        await expect(page.getByText(/No (folders|machines) here yet|No tags to show here/)).toBeHidden();
        await page.getByRole("button", { name: "Try again" }).click();
        await expect(shown).toBeVisible();
      }
    }
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
    await expect(page.getByText(/counts 1, and sends none/)).toBeVisible();
    await open(`identities?group=${organization.uid}`);
    const failed = page.getByRole("treeitem", { name: "Could not load the folders. Try again" });
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
      await page.getByRole("button", { name: /^Who am I/ }).click();
      await expect(page.getByText("Which roles you hold could not be found out"), body).toBeVisible();
      // Unknown is not denied.
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
      [null, "The service names no architecture."],
      ["amd64", /not what this console expects/],
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
      /^arm64.*not told/,
      /^386.*not told/,
      /^riscv128\/of-tomorrow9,007 TB$/,
    ]);
    await page.setViewportSize({ width: 1400, height: 800 });
    await open(`tags?repo=${param(repo)}`);
    await expect(page.getByRole("table", { name: "Tags" }).getByRole("row", { name: /1\.0/ })).toContainText(
      "amd64 34.2 MBarm64 —386 —riscv128/of-tomorrow 9,007 TB",
    );
  },
);
