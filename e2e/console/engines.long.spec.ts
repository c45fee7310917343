import { existsSync, readdirSync } from "node:fs";

import { parentOf } from "platform-contract/aip";
import type { Group } from "platform-contract/iam/groups";
import type { Advisory } from "platform-contract/vulnerabilities/advisories";

import { connect } from "../api";
import { signInToDemo } from "../demo";
import { untilThere, type Engine } from "../engines/engine";
import { firefox } from "../engines/firefox";
import { webkit } from "../engines/webkit";
import { expect, ownService, test } from "../faulty";
import { param } from "../records";

test.use({ serviceVariables: { SEED: "demo" } });
// Run in one worker, so that the demo is seeded once.
test.describe.configure({ mode: "default", timeout: 600_000 });

/** The routes of the console, as patterns of paths. */
const ROUTES = readdirSync("src/routes", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".tsx") && file !== "__root.tsx")
  .map((file) => `/${file.replace(/(?:\/?index)?\.tsx$/, "")}`);
/** Those that no link of the walk leads to, with what they need. */
const BY_ADDRESS = [
  "affected?id=CVE-2026-1",
  "advisories/documents?package=openssl",
  "roles/compare",
  "tags/compare",
].concat("audit-log/access", "import", "invite", "manifests", "migrate", "retention", "status");

/** In the page: what can be seen of it, and what of that is still loading. */
const seen = () => {
  const all = (selector: string) =>
    [...document.querySelectorAll(selector)].filter((each) =>
      each.checkVisibility({ visibilityProperty: true }),
    );
  const boxOf = (element: Element) => element.getBoundingClientRect();
  const panelOf = (select: Element) =>
    select.closest("[role=dialog], dialog, [popover], main") ?? document.body;
  return {
    path: location.pathname,
    // A form on a page has its own, above the screen that it came from.
    headings: all("h1").flatMap((heading) => (heading.closest("[role=dialog]") ? [] : [heading.textContent])),
    loading: all("[aria-busy=true], [data-pending], h1[data-left]").map((each) =>
      each.outerHTML.slice(0, 200),
    ),
    dialogs: all("[role=dialog], dialog[open]").map((dialog) => ({
      height: boxOf(dialog).height,
      text: dialog.textContent,
    })),
    selects: (all("select") as HTMLSelectElement[]).map((select) => {
      const [box, panel] = [boxOf(select), boxOf(panelOf(select))];
      return {
        name: select.labels[0]?.textContent ?? select.ariaLabel,
        inside: box.left >= panel.left && box.right <= panel.right,
        width: box.width,
        // In a form a select is as wide as its column; on a screen it is a part of a line.
        most: panelOf(select).matches("main") ? innerWidth / 4 : panel.width,
      };
    }),
  };
};

/** In the page: the steps of an advisory's history in their order, with exact times. */
const historyOf = () => {
  const heading = [...document.querySelectorAll("h2")].find((each) => each.textContent.startsWith("History"));
  return [...(heading?.closest("section")?.querySelectorAll("ol > li") ?? [])].map((step) => {
    const copy = step.cloneNode(true) as Element;
    for (const time of copy.querySelectorAll("time")) time.textContent = time.dateTime;
    return copy.textContent;
  });
};

/** Waits for the page at a path to settle, and asserts what must be so of every screen, form and dialog. */
async function check(engine: Engine, what: string, path: RegExp, dialog = false) {
  let page: ReturnType<typeof seen> | undefined;
  const arrived = await untilThere(
    () => `${what} has not settled: ${JSON.stringify(page)}`,
    async () => {
      page = await engine.call(seen);
      const settled = path.test(page.path) && page.headings.length > 0 && page.loading.length === 0;
      const opened = !dialog || page.dialogs.length > 0;
      // A dialog that gets its content a moment later is lower until then.
      return settled && opened && page.dialogs.every(({ height }) => height > 100) ? page : null;
    },
  );
  expect(arrived.headings, `${what}: one heading of level 1`).toEqual([expect.stringMatching(/\S/)]);
  expect(arrived.headings[0], what).not.toMatch(/not found|wrong/i);
  for (const { name, inside, width, most } of arrived.selects) {
    expect(inside, `${what}: the select "${name}" is inside its panel`).toBe(true);
    expect(width, `${what}: width of the select "${name}"`).toBeLessThanOrEqual(most);
  }
  expect(await engine.errors(), `${what}: errors`).toEqual([]);
}

/** Matches the paths of a route. */
const patternOf = (route: string): RegExp => new RegExp(`^${route.replace("$uid", "[^/]+")}/?$`);

/** Marks the headings of the screen before one at another path: the path changes before the screen does. */
const leave = (engine: Engine, path: string) =>
  engine.call((to) => {
    if (location.pathname === new URL(to, document.baseURI).pathname) return;
    for (const heading of document.querySelectorAll("h1")) heading.setAttribute("data-left", "");
  }, path);

async function follow(engine: Engine, path: string): Promise<void> {
  await leave(engine, path);
  await engine.call((to) => history.pushState({}, "", to), path);
}

/** Opens every screen by the links that lead there, and the others by their addresses. */
async function openEverything(engine: Engine, base: string, organization: string) {
  const opened = new Set<string>();
  const arrive = async (what: string, route: string) => {
    await check(engine, what, patternOf(route));
    opened.add(route);
  };
  await engine.click({ role: "button", name: "^Organization$", within: "nav[aria-label=Main]" });
  const links = await engine.call(() =>
    [...document.querySelectorAll<HTMLAnchorElement>("nav[aria-label=Main] a")].map((link) => [
      link.textContent,
      link.pathname,
    ]),
  );
  expect(links.length).toBeGreaterThan(10);
  for (const [label = "", path = ""] of links) {
    await leave(engine, path);
    await engine.click({ role: "link", name: `^${label}$`, within: "nav[aria-label=Main]" });
    await arrive(label, path);
    if (!ROUTES.includes(`${path}/$uid`)) continue;
    const record = await untilThere(
      () => `${label}: no record to open`,
      () =>
        engine.call((list) => {
          const all = [...document.querySelectorAll<HTMLAnchorElement>("main [role=table] a, main table a")];
          return all.find(({ pathname }) => new RegExp(`^${list}/[^/]+$`).test(pathname))?.pathname ?? null;
        }, path),
    );
    await leave(engine, record);
    await engine.click({
      role: "link",
      name: "",
      // By its address: the text of some is a time, which goes on.
      within: `main :has(> a[href$="${record}"])`,
    });
    await arrive(`a record of ${label}`, `${path}/$uid`);
  }
  for (const path of BY_ADDRESS) {
    await follow(engine, `${base}${path}`);
    await arrive(path, `/${path.replace(/\?.*/, "")}`);
  }
  await follow(engine, `${base}ask/${organization}`);
  await arrive("a request for access", "/ask/$uid");
  expect(
    ROUTES.filter((route) => !opened.has(route)),
    "routes that were not opened",
  ).toEqual([]);
}

for (const { name, programs, start } of [firefox, webkit])
  test(
    `${name} opens every screen, and each kind of form and dialog`,
    ownService,
    async ({ proxied, page, context }) => {
      const missing = programs.find((program) => !existsSync(program));
      if (missing !== undefined)
        process.stdout.write(`\n${name} is not tried: ${missing} is not installed\n`);
      test.skip(missing !== undefined);
      const base = `${proxied.proxy.url}/`;
      await signInToDemo(page, base, "owner");
      const api = await connect(context.request, base, { direct: proxied.direct });
      // The one kind that the demo has no record of.
      const { groups = [] } = await api.get<{ groups?: Group[] }>("/iam/v2/groups?page_size=200");
      const organization = groups.find(({ uid }) => parentOf(uid) === "");
      await api.post(`/events/v2/subscriptions/${organization?.uid}`, {
        sink: `http://127.0.0.1:9/${encodeURIComponent(name)}`,
      });
      const { advisories = [] } = await api.get<{ advisories?: Advisory[] }>(
        "/vulnerabilities/v2/advisories?page_size=200",
      );
      const [advisory] = advisories.toSorted((a, b) => (b.events?.length ?? 0) - (a.events?.length ?? 0));
      if (!advisory) throw new Error("the demo has no advisory");

      const engine = await start();
      try {
        await engine.goto(base);
        await engine.type({ role: "label", name: "^Email" }, "owner@demo.example");
        await engine.type({ role: "label", name: "^Password" }, "platform-demo");
        await engine.click({ role: "button", name: "^Sign in$" });
        await check(engine, "overview", /^\/$/);
        await openEverything(engine, base, organization?.uid ?? "");

        const opens = async (what: string, path: string, ...clicks: [role: string, name: string][]) => {
          await follow(engine, `${base}${path}`);
          // The screen before may have a button of the same name.
          await check(engine, `${what}: its screen`, patternOf(`/${path}`));
          for (const [role, label] of clicks) await engine.click({ role, name: label });
          return check(engine, what, patternOf(`/${path}`), true);
        };
        await opens("a form on a page", "identities", ["button", "^Create identity$"]);
        await opens("a drawer", "group-invites", ["button", "^Create invite$"]);
        await opens("the filters", "advisories", ["button", "^Add filter$"]);
        await opens("an export", "repos", ["button", "^More for this list$"], ["menuitem", "^Export CSV$"]);
        await opens("a deletion", "roles", ["button", "^Actions for "], ["menuitem", "^Delete"]);
        await opens("the palette", "roles", ["button", "^Search$"]);

        const path = `${base}advisories/${param(advisory)}`;
        await page.goto(path);
        await expect.poll(() => page.evaluate(historyOf)).toHaveLength(advisory.events?.length ?? 0);
        await follow(engine, path);
        await check(engine, "an advisory", new RegExp(`${param(advisory)}$`));
        await expect.poll(() => engine.call(historyOf)).toEqual(await page.evaluate(historyOf));
      } finally {
        await engine.close();
      }
    },
  );
