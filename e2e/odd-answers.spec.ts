import { expect, fault, ownService, test } from "./faulty";
import { stands } from "./odd-records";

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
    ({ groups, identities, ...body }: ListBody) => ({ ...body, record: groups ?? identities }),
  ],
  [
    "a next page that is the same again",
    (body) => ({ ...body, nextPageToken: ROUND }),
    /leads from the last page back to it/,
  ],
  [
    "no rows where it counts some",
    (body) => ({ ...body, groups: null, identities: null }),
    /counts 1, and sends none/,
  ],
  ["rows that are none", () => ({ groups: "many", identities: { a: 1 } }), /not what this console expects/],
];

interface ListBody {
  readonly groups?: unknown;
  readonly identities?: unknown;
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
    for (const [index, [what, change, sentence]] of ENVELOPES.entries()) {
      const [label, path, row] =
        index % 2 === 0
          ? (["Groups", "groups", "one-folder"] as const)
          : (["Identities", "identities", "one-identity"] as const);
      const rule = proxy.rule(
        {
          method: "GET",
          path: /^\/iam\/v2\/(groups|identities)$/,
          when: ({ query }) => query.has("uidp.descendants_of"),
        },
        fault.json((body) => change(body as object)),
      );
      const again = proxy.rule(
        { method: "GET", path: /./, when: ({ query }) => query.get("page_token") === ROUND },
        fault.answer(200, { groups: [], identities: [], nextPageToken: ROUND }),
      );
      await open(`${path}?group=${organization.uid}`);
      await stands(page);
      const shown = page.getByRole("table", { name: label }).getByRole("link", { name: row });
      const rows = !/no rows|rows that are none/.test(what);
      if (rows) await expect(shown, what).toBeVisible();
      if (sentence) await expect(page.getByRole("main").getByText(sentence), what).toBeVisible();
      else await expect(page.getByRole("note"), what).toBeHidden();
      rule.remove();
      again.remove();
      if (!rows) {
        await expect(page.getByText(/No (folders|machines) here yet/)).toBeHidden();
        await page.getByRole("button", { name: "Try again" }).click();
        await expect(shown).toBeVisible();
      }
    }
  },
);

test(
  "where nothing that is asked about groups or people is answered sensibly, the shell stands and claims nothing",
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
