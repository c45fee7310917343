import { address } from "../api";
import { expect, gate, test } from "../fixtures";
import { param } from "../records";
import { makeRepo, writeReadme } from "../repos";

const HOSTILE = `# Read me
<script>document.title = "taken"</script>
<img src="https://tracker.example/1.png" onerror="document.title = 'taken'">

[run](javascript:document.title='taken') [page](data:text/html,<script>alert(1)</script>) [sibling](//evil.example/x)
[good](https://docs.example/) [other file](docs/other.md) [down](#at-the-end)

![logo](https://tracker.example/2.png) ![local](assets/3.png) [![badge](https://tracker.example/4.svg)](https://ci.example/)
<style>body { display: none }</style> <iframe src="https://evil.example/"></iframe>

${"Lines.\n\n".repeat(80)}

## At the end
`;

test("a hostile readme is read, and nothing of it is run, loaded or followed @long", async ({ person }) => {
  const { page, context, open } = person;
  const { uid } = await makeRepo(person, { name: "web" });
  await writeReadme(person, uid, HOSTILE);
  const foreign: string[] = [];
  const { origin } = new URL(address());
  context.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) foreign.push(request.url());
  });
  await open(`repos/${param(uid)}`);
  const readme = page.getByRole("region", { name: "Readme" });
  await expect(readme.getByRole("heading", { name: "Read me" })).toBeVisible();
  await expect(readme.getByText("document.title")).toBeHidden();
  const links = await readme
    .getByRole("link")
    .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(links).toEqual([
    "https://tracker.example/1.png",
    "https://docs.example/",
    "#at-the-end",
    "https://tracker.example/2.png",
    "https://ci.example/",
  ]);
  await expect(readme.getByRole("link", { name: "good" })).toHaveAttribute("rel", "noopener noreferrer");
  await expect(readme.locator("img, script, style, iframe, object")).toHaveCount(0);
  await readme.getByText("run", { exact: true }).click();
  await expect(page).toHaveTitle(/^web/);

  // A link within the document: the page stays, and the heading has the focus.
  const at = page.url();
  await readme.getByRole("link", { name: "down" }).click();
  await expect(readme.getByRole("heading", { name: "At the end" })).toBeFocused();
  await expect(readme.getByRole("heading", { name: "At the end" })).toBeInViewport();
  expect(page.url()).toBe(at);
  expect(foreign).toEqual([]);

  // Documents that would keep a Markdown parser busy for minutes are shown as plain text.
  for (const endless of [">".repeat(50_000), "a\n-\n".repeat(20_000)]) {
    await writeReadme(person, uid, endless);
    await page.reload();
    await expect(readme.getByText("Showing it as it is.")).toBeVisible();
    await page.getByRole("button", { name: "Edit readme" }).click();
    const drawer = page.getByRole("dialog", { name: "Edit readme of web" });
    await expect(drawer).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(drawer).toBeHidden();
  }
});

test(
  "a readme is written with a preview of it, and the preview is what is saved",
  gate,
  async ({ person }) => {
    const { page, api, open } = person;
    const { uid } = await makeRepo(person, { name: "web" });
    await open(`repos/${param(uid)}`);
    await expect(page.getByText("No readme yet")).toBeVisible();
    await page.getByRole("button", { name: "Write readme" }).click();
    const drawer = page.getByRole("dialog", { name: "Edit readme of web" });
    const text = "# Use it\n\n| tag | meaning |\n|---|---|\n| `1` | newest |\n";
    await expect(drawer.getByRole("textbox", { name: "Readme" })).toBeFocused();
    await drawer.getByRole("textbox", { name: "Readme" }).fill(text);
    await drawer.getByRole("button", { name: "Preview" }).click();
    await expect(drawer.getByRole("cell", { name: "newest" })).toBeVisible();
    await expect(drawer.getByRole("textbox", { name: "Readme" })).toBeHidden();

    // Leaving asks first, and the draft is kept.
    await page.keyboard.press("Escape");
    await page
      .getByRole("dialog", { name: /Discard/ })
      .getByRole("button", { name: /Keep/ })
      .click();
    await drawer.getByRole("button", { name: "Write" }).click();
    await expect(drawer.getByRole("textbox", { name: "Readme" })).toHaveValue(text);
    const patched = page.waitForRequest((request) => request.method() === "PATCH");
    await drawer.getByRole("button", { name: "Save readme" }).click();
    expect(new URL((await patched).url()).searchParams.get("updateMask")).toBe("content");
    await expect(drawer).toBeHidden();
    await expect(
      page.getByRole("region", { name: "Readme" }).getByRole("heading", { name: "Use it" }),
    ).toBeVisible();
    expect(await api.get(`/registry/v2/repos/${uid}/readme`)).toMatchObject({ content: text });

    // Another user saves while the form is open: their version is not overwritten without notice.
    await page.getByRole("button", { name: "Edit readme" }).click();
    await writeReadme(person, uid, "# Theirs");
    await drawer.getByRole("textbox", { name: "Readme" }).fill("# Mine");
    await drawer.getByRole("button", { name: "Save readme" }).click();
    await expect(drawer.getByRole("alert")).toContainText("Someone else changed this");
    await expect(drawer.getByRole("textbox", { name: "Readme" })).toHaveValue("# Mine");
    await drawer.getByRole("button", { name: "Save readme" }).click();
    await expect(drawer).toBeHidden();
    expect(await api.get(`/registry/v2/repos/${uid}/readme`)).toMatchObject({ content: "# Mine" });
  },
);
