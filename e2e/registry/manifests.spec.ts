import { expect, test } from "../fixtures";
import { makeRepo } from "../repos";
import { createTags, digestOf, NO_IMAGE } from "../tags";

test("every image of pasted manifests is current, behind its tag, deprecated or unknown, with a diff that mends them", async ({
  person,
  problems,
}) => {
  // The rows of the list of tags ask for their images, if there is time before it is left.
  problems.allow(NO_IMAGE);
  const { page, context, api, organization, open } = person;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const web = await makeRepo(person, { name: "web" });
  await createTags(api, web.uid, [
    { name: "1.0", digest: digestOf(1), deprecated: true },
    { name: "1.1", digest: digestOf(2) },
    { name: "1.1-dev", digest: digestOf(3) },
  ]);
  const path = `${organization.name}/web`;
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url() + (request.postData() ?? "")));

  await open("tags");
  await page.getByRole("link", { name: "Check manifests" }).click();
  await page.getByRole("button", { name: "Check images" }).click();
  await expect(page.getByRole("alert")).toContainText("Paste a manifest, or choose a file.");
  await page.getByLabel("Manifest").fill(`containers:
  - image: ${path}:1.1
    env: [{ name: PASSWORD, value: not-to-be-sent }]
  - image: ${path}:1.0 # old
  - image: "${path}:1.1@${digestOf(1)}"
  - image: ${path}:9
`);
  await page.getByLabel("Files").setInputFiles({
    name: "Dockerfile",
    mimeType: "text/plain",
    buffer: Buffer.from(`ARG TAG\nFROM ${path}:1.1-dev AS build\nFROM ${path}:\${TAG}\n`),
  });
  await expect(
    page.getByText("6 images: 2 unknown, 1 behind its tag, 1 deprecated, 2 current."),
  ).toBeVisible();
  const row = (text: string) =>
    page.getByRole("table", { name: "Images" }).getByRole("row").filter({ hasText: text });
  await expect(row("Dockerfile:2")).toContainText("Current");
  // No SBOM was read: that nothing affects it is not known.
  await expect(row("Dockerfile:2")).toContainText("Unknown: the packages of this image aren't known");
  await expect(row("Dockerfile:3")).toContainText("Part of it is a variable without a default.");
  await expect(row("pasted:4")).toContainText("1.0 is deprecated. 1.1 is the newest tag like it.");
  await expect(row("pasted:5")).toContainText("1.1 has another digest now.");
  await expect(row("pasted:6")).toContainText("has no tag 9.");

  await page.getByRole("button", { name: "Copy diff" }).click();
  await expect(page.getByText("Copied the diff")).toBeVisible();
  const diff = await page.evaluate(() => navigator.clipboard.readText());
  expect(diff.split("\n").filter((line) => /^[-+]/.test(line))).toEqual([
    "--- a/pasted",
    "+++ b/pasted",
    `-  - image: ${path}:1.0 # old`,
    `-  - image: "${path}:1.1@${digestOf(1)}"`,
    `+  - image: ${path}:1.1 # old`,
    `+  - image: "${path}:1.1@${digestOf(2)}"`,
  ]);
  // Only names, tags and digests are looked up.
  expect(sent.filter((each) => /not-to-be-sent|PASSWORD/.test(each))).toEqual([]);

  await row("pasted:4").getByRole("link").click();
  await expect(page.getByRole("heading", { name: "1.0", level: 1 })).toBeVisible();
});

test("a text that would keep a parser busy is read away from the page, or given up after a second", async ({
  person,
}) => {
  const { page, open } = person;
  await open("tags");
  await page.getByRole("link", { name: "Check manifests" }).click();
  const check = async (text: string) => {
    await page.getByLabel("Manifest").fill(text);
    await page.getByRole("button", { name: "Check images" }).click();
  };
  await check(`${"\n".repeat(40)}acme/tool:1\n`);
  await expect(page.getByText(/^1 image:/)).toBeVisible();
  // Each of them is an error for the parser of YAML.
  await check(`a: b\n${"}".repeat(400_000)}`);
  await expect(page.getByRole("alert").filter({ hasText: "This takes too long to read." })).toBeVisible();
  await check("acme/tool:1\nacme/tool:2\n");
  await expect(page.getByText(/^2 images:/)).toBeVisible();
});
