import { expect, test } from "../fixtures";
import { param } from "../records";
import { createRepo, createTags, digestOf, names, NO_IMAGE, table } from "../tags";

test("a list of several pages is scrolled to its end: every tag is there once, in its order @engines", async ({
  person,
  problems,
}) => {
  // The setup alone sends hundreds of requests.
  test.slow();
  problems.allow(NO_IMAGE);
  const { page, api, organization, open } = person;
  const repo = await createRepo(api, organization.uid);
  const bodies = Array.from({ length: 230 }, (_, index) => ({
    name: `1.${String(index).padStart(3, "0")}`,
    digest: digestOf(index % 3),
  }));
  await createTags(api, repo.uid, bodies);
  const tokens = new Set<string>();
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const token = searchParams.get("page_token");
    if (pathname.endsWith("/registry/v2/tags") && token) tokens.add(token);
  });
  await open(`tags?repo=${param(repo)}&order=name`);
  await expect(table(page)).toHaveAttribute("aria-rowcount", String(bodies.length + 1));
  const order: (string | null)[] = [];
  await expect(async () => {
    // Scroll half a screen at a time, once the current rows are drawn.
    await expect(table(page)).toHaveAttribute("aria-busy", "false");
    await expect(table(page).getByText("Loading rows")).toBeHidden();
    for (const name of await names(page)) if (!order.includes(name)) order.push(name);
    await table(page).evaluate((list) => list.scrollBy({ top: list.clientHeight / 2, behavior: "instant" }));
    expect(order.at(-1)).toBe("1.229");
  }).toPass({ intervals: [0] });
  expect(order).toEqual(bodies.map(({ name }) => name));
  // Pages of fifty: four more after the first.
  expect(tokens.size).toBe(4);

  // Jump to a row in the middle; a reload keeps the position.
  await page.getByLabel("Jump to row").fill("150");
  await page.getByLabel("Jump to row").press("Enter");
  await expect(table(page).getByRole("link", { name: "1.149", exact: true })).toBeInViewport();
  await expect(page).toHaveURL(/[?&]at=149(?:&|$)/);
  await page.reload();
  await expect(table(page).getByRole("link", { name: "1.149", exact: true })).toBeInViewport();
});
