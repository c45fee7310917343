import type { Page } from "@playwright/test";

import type { Role } from "platform-contract/iam/roles";
import { kinds, kindsIn, listPath, wordsInside } from "platform-contract/kinds";
import { countedList } from "platform-contract/resource";

import { connect, type Api } from "../api";
import { signInToDemo } from "../demo";
import { expect, ownService, test } from "../faulty";
import { param } from "../records";
import { machine } from "../lists";

test.use({ serviceVariables: { SEED: "demo" } });
// Run in one worker, so that all people see the same organization.
test.describe.configure({ mode: "default", timeout: 600_000 });

const PEOPLE = ["owner", "editor", "viewer", "folders", "auditor"] as const;

interface Row {
  readonly uid: string;
  readonly name?: string;
}

/** Rows of a list by its pages: how many there are is counted, not taken from the service's own total. */
async function rowsOf(api: Api, collection: string, query: Readonly<Record<string, string>>): Promise<Row[]> {
  const kind = kinds.find((each) => each.collection === collection)!;
  const rows: Row[] = [];
  for (let token = ""; ;) {
    const asked = new URLSearchParams({ ...query, page_size: "200", ...(token && { page_token: token }) });
    // oxlint-disable-next-line no-await-in-loop -- each page has the token of the next one
    const page = await api.get<Record<string, unknown>>(`${countedList(kind).path}?${asked.toString()}`);
    rows.push(...((page[collection] ?? []) as Row[]));
    token = String(page["nextPageToken"] ?? "");
    if (token === "") return rows;
  }
}

/** A sequence of numbers below `most` (a linear congruential generator); its start is printed, to repeat a run. */
function chance(start: number): (most: number) => number {
  let state = start;
  return (most) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * most);
  };
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const WRITES = 60;

/** What nobody planned: folders, identities, roles, bindings, repos, tags; some of them deleted again. */
async function writeAtRandom(api: Api, start: number): Promise<void> {
  const pick = chance(start);
  const one = <T>(of: readonly T[]): T => of[pick(of.length)]!;
  const groups = await rowsOf(api, "groups", {});
  const roles = (await rowsOf(api, "roles", {})).filter(({ uid }) => !uid.includes("/"));
  const made: string[] = [];
  const create = async (path: string, body: object): Promise<string> => {
    const { uid } = await api.post<{ uid: string }>(path, body);
    return uid;
  };
  for (let turn = 0; turn < WRITES; turn += 1) {
    const { uid: group } = one(groups);
    const name = `random-${start}-${turn}`;
    // oxlint-disable no-await-in-loop -- one write after the other
    const act = pick(6);
    if (act === 0) groups.push({ uid: await create(`/iam/v2/groups/${group}`, { name }) });
    else if (act === 1)
      made.push(`/iam/v2/identities/${await create(`/iam/v2/identities/${group}`, machine(name))}`);
    else if (act === 2) {
      const body = { name, capabilities: ["CAP_IAM_GROUPS_LIST", "CAP_IAM_ROLES_LIST"].slice(pick(2)) };
      made.push(`/iam/v2/roles/${await create(`/iam/v2/roles/${group}`, body)}`);
    } else if (act === 3) {
      const identity = await create(`/iam/v2/identities/${group}`, machine(`${name}-bound`));
      await create(`/iam/v2/roleBindings/${group}`, { identityUid: identity, roleUid: one(roles).uid });
    } else if (act === 4) {
      const repo = await create(`/registry/v2/repos/${group}`, { name }).catch((error: Error) => {
        // Some folders need terms that the owner has not accepted.
        if (!error.message.includes("terms not accepted")) throw error;
      });
      if (repo === undefined) continue;
      for (let tag = pick(4); tag > 0; tag -= 1) {
        const digest = `sha256:${String(tag).repeat(64)}`;
        const deprecated = pick(2) === 0;
        await create(`/registry/v2/tags/${repo}`, { name: `v${tag}`, digest, deprecated });
      }
    } else if (made.length > 0) await api.delete(made.splice(pick(made.length), 1)[0]!);
    // oxlint-enable no-await-in-loop
  }
}

/** Waits until nothing of the screen is loading. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator("[aria-busy=true], [data-pending], [data-stale]")).toHaveCount(0);
  await expect(page.getByRole("main").getByText(/^(?:loading|counting|Loading\u2026)$/)).toHaveCount(0);
}

/** The figures of tiles by what they count; what is hidden has none. */
async function tilesOf(page: Page): Promise<Record<string, number>> {
  const tiles = await page
    .getByRole("main")
    .locator("dl > div")
    .evaluateAll((all) =>
      all.map(
        (tile) => [tile.querySelector("dt")?.textContent, tile.querySelector("dd")?.textContent] as const,
      ),
    );
  return Object.fromEntries(
    tiles.flatMap(([label, figure]) =>
      /^[\d,]+$/.test(figure ?? "") ? [[label, Number(figure?.replaceAll(",", ""))]] : [],
    ),
  ) as Record<string, number>;
}

/** How many rows the footer of a list claims: "1\u201342 of 118"; 0 for its empty state. */
async function footerOf(page: Page): Promise<number | undefined> {
  const text = await page.getByRole("main").innerText();
  const [, of] = /^[\d,]+\u2013[\d,]+ of ([\d,]+)(?!\+)/m.exec(text) ?? [];
  if (of !== undefined) return Number(of.replaceAll(",", ""));
  return (await page.locator("[data-row-key]").count()) === 0 ? 0 : undefined;
}

const screened = kinds.filter(({ screens }) => screens);

for (const user of PEOPLE)
  test(`every number is the API's for ${user}@demo.example @long`, ownService, async ({ page, proxied }) => {
    const base = `${proxied.proxy.url}/`;
    const differences: string[] = [];
    const compare = (where: string, shown: number | undefined, counted: number): void => {
      if (shown !== undefined && shown !== counted)
        differences.push(`${where}: ${shown}, the API has ${counted}`);
    };
    await signInToDemo(page, base, user);
    const api = await connect(page.context().request, base, { direct: proxied.direct });
    const start = Number(process.env["RANDOM_START"] ?? Date.now() % 100_000);
    if (user === "owner") await writeAtRandom(api, start);
    const groups = await rowsOf(api, "groups", {});
    const tops = groups.filter(({ uid }) => !groups.some((other) => uid.startsWith(`${other.uid}/`)));
    const inner = groups.filter(({ uid }) => !tops.some((top) => top.uid === uid));
    const pick = chance(start);
    const scopes = [
      undefined,
      ...tops.slice(0, 3),
      ...[0, 1].map(() => inner[pick(Math.max(1, inner.length))]),
    ];
    let compared = 0;
    for (const scope of new Set(scopes)) {
      const where = scope?.name ?? "everywhere";
      const within = (group: Row | undefined): Record<string, string> =>
        group ? { "uidp.descendants_of": group.uid } : {};
      // The home and the identities of an only organization are those inside it, without a word of it in the address.
      const inside = within(scope ?? (tops.length === 1 ? tops[0] : undefined));
      const address = scope ? `?group=${param(scope)}` : "";
      // oxlint-disable no-await-in-loop -- one screen after the other
      await page.goto(`${base}${address}`);
      await settled(page);
      const home = await tilesOf(page);
      for (const kind of screened) {
        const words = [kind.plural, wordsInside(kind)[1]].map(capitalize);
        const label = words.find((word) => word in home);
        const counted = (await rowsOf(api, kind.collection, inside)).length;
        if (label) compare(`home of ${where}, ${label}`, home[label], counted);
        await page.goto(`${base}${listPath(kind.collection).slice(1)}${address}`);
        await settled(page);
        const shown = kind.collection === "identities" ? inside : within(scope);
        const rows = await rowsOf(api, kind.collection, shown);
        compare(`${kind.plural} of ${where}`, await footerOf(page), rows.length);
        compared += 1;
      }
      if (scope === undefined) continue;
      await page.goto(`${base}groups/${param(scope)}`);
      await settled(page);
      const held = await tilesOf(page);
      for (const kind of kindsIn("groups")) {
        const counted = (await rowsOf(api, kind.collection, { "uidp.children_of": scope.uid })).length;
        compare(`page of ${where}, ${kind.plural}`, held[capitalize(wordsInside(kind)[1])], counted);
      }
      // oxlint-enable no-await-in-loop
    }
    await page.goto(`${base}roles`);
    await settled(page);
    const roles = (await rowsOf(api, "roles", {})) as Role[];
    for (const row of await page.locator("[data-row-key]").all()) {
      // oxlint-disable-next-line no-await-in-loop -- one row after the other
      const cells = await row.getByRole("cell").allInnerTexts();
      const role = roles.find(({ name }) => name === cells[0]?.split("\n", 1)[0]);
      const figures = cells.filter((cell) => /^[\d,]+$/.test(cell)).map(Number);
      if (role)
        expect.soft(figures, `capabilities of ${role.name}`).toContain(role.capabilities?.length ?? 0);
    }
    expect(compared).toBeGreaterThan(10);
    expect(differences, `random writes from ${start}`).toEqual([]);
  });
