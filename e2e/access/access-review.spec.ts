import { createHash, createPublicKey, verify } from "node:crypto";
import { readFile } from "node:fs/promises";

import { bind } from "../bindings";
import { axe } from "../bulk-delete";
import { expect, test } from "../fixtures";
import { folder, param } from "../records";
import { boundMachines, card, roleNamed, rolesIn, startReview, step } from "../reviews";

test("an owner starts a review, the owner of its folder decides, the owner applies it, and the report is signed", async ({
  person,
  problems,
  signUp,
}, testInfo) => {
  test.setTimeout(240_000);
  const { page, api, organization, open } = person;
  const team = await folder(api, organization, "team");
  const [, moved = ""] = await boundMachines(api, team, { count: 4, role: "editor" });
  await boundMachines(api, organization, { count: 1, role: "viewer", word: "top" });
  const other = await signUp();
  await bind(api, team, other, "owner");
  await open(`access-review?group=${param(team)}`);
  await expect(page.getByText("No access reviews here that you can see.")).toBeVisible();
  await axe(page, "no reviews");
  await startReview(page);
  await expect(page.getByText("5 role bindings: 5 decisions left. Open")).toBeVisible();
  await expect(page.getByText(/2 role bindings from further up also count in team/)).toBeVisible();
  const address = page.url();

  // Somebody else who owns the folder decides at the same time, by keys, wherever the focus is.
  await other.page.goto(address);
  await expect(card(other.page).getByRole("heading", { name: "m-000" })).toBeVisible();
  await expect(card(other.page).getByText("Machine with a strong role")).toBeVisible();
  await other.page.getByRole("heading", { level: 1 }).click();
  await other.page.keyboard.press("n");
  await other.page.keyboard.type("Left the project");
  await other.page.keyboard.press("Enter");
  await expect(card(other.page).getByText("Note: Left the project")).toBeVisible();
  await other.page.keyboard.press("x");
  await expect(card(other.page).getByRole("heading", { name: "m-001" })).toBeVisible();
  await other.page.keyboard.press("r");
  await expect(
    card(other.page).getByRole("list", { name: "Smaller roles" }).getByRole("button").first(),
  ).toContainText("viewer");
  await other.page.keyboard.press("1");
  await expect(card(other.page).getByRole("heading", { name: "m-002" })).toBeVisible();
  await expect(other.page.getByText("5 role bindings: 3 decisions left. Open")).toBeVisible();

  // What is on screen is sent in a moment.
  await expect
    .poll(async () => {
      const { accessReviews } = await api.get<{ accessReviews: { decidedCount: number }[] }>(
        `/access/v1/reviews?uidp.descendants_of=${team.uid}`,
      );
      return accessReviews[0]?.decidedCount;
    })
    .toBe(2);
  // The owner's page does not know of the first decision: it is told, and nothing is lost.
  problems.allow(/status of 409 .*\/reviewItems\//);
  await page.keyboard.press("k");
  await expect(page.getByRole("alert")).toContainText(/decided to revoke it after you read it/);
  await expect(page.getByText("5 role bindings: 3 decisions left. Open")).toBeVisible();
  await step(page, "List").click();
  const table = page.getByRole("table", { name: "Role bindings under review" });
  await expect(page.getByText("In the table, K keeps, X revokes and Z undecides")).toBeVisible();
  await table.getByRole("row", { name: /m-002/ }).getByRole("link").focus();
  await page.keyboard.press("k");
  await page.keyboard.press("x");
  await page.keyboard.press("k");
  await expect(page.getByText("5 role bindings: all decided. Open")).toBeVisible();
  await axe(page, "list");

  // Meanwhile one of them is changed elsewhere: the review leaves it as it is.
  await api.patch(`/iam/v2/roleBindings/${moved}?updateMask=roleUid`, {
    roleUid: await roleNamed(api, "owner"),
  });
  await step(page, "Reviewers").click();
  await expect(page.getByRole("region", { name: "Reviewers" })).toBeVisible();
  await step(page, "Result").click();
  await page.getByRole("button", { name: "Apply 3 changes" }).click();
  const dialog = page.getByRole("dialog", { name: "Apply 3 changes?" });
  await expect(dialog.getByText("m-000: Revoke editor in team")).toBeVisible();
  expect(await rolesIn(api, team)).toMatchObject({ "m-000": "editor" });
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("Quarterly review");
  await axe(page, "confirmation");
  await dialog.getByRole("button", { name: "Apply 3 changes" }).click();
  await expect(page.getByText("Everything that was decided has been applied, or was refused.")).toBeVisible();
  const results = page.getByRole("region", { name: "Results of decisions" });
  await expect(results.getByRole("row", { name: /m-001.*Changed meanwhile/ })).toBeVisible();
  expect(await rolesIn(api, team)).toMatchObject({ "m-001": "owner", "m-002": "editor" });
  expect(Object.keys(await rolesIn(api, team))).not.toEqual(expect.arrayContaining(["m-000"]));
  expect(Object.keys(await rolesIn(api, team))).not.toEqual(expect.arrayContaining(["m-003"]));

  await page.getByRole("button", { name: "Close review" }).click();
  await page
    .getByRole("dialog", { name: "Close this review?" })
    .getByRole("button", { name: "Close review" })
    .click();
  await expect(page.getByText("5 role bindings: all decided. Closed")).toBeVisible();
  const saving: Promise<Buffer>[] = [];
  page.on("download", (download) => {
    const file = testInfo.outputPath(download.suggestedFilename());
    saving.push(download.saveAs(file).then(() => readFile(file)));
  });
  await page.getByRole("button", { name: "Download report and signature" }).click();
  await expect.poll(() => saving.length).toBe(2);
  const [report, jws] = await Promise.all([saving[0]!, saving[1]!]);
  const hash = createHash("sha256").update(report).digest("hex");
  await expect(page.getByText(hash)).toBeVisible();
  expect(report.toString()).toContain("Left the project");
  const [head = "", body = "", end = ""] = jws.toString().split(".");
  const { keys } = await (await page.request.get(new URL("/snapshots/v1/jwks.json", address).href)).json();
  const key = createPublicKey({ key: keys[0], format: "jwk" });
  expect(
    verify(
      "sha256",
      Buffer.from(`${head}.${body}`),
      { key, dsaEncoding: "ieee-p1363" },
      Buffer.from(end, "base64url"),
    ),
  ).toBe(true);
  expect(JSON.parse(Buffer.from(body, "base64url").toString())).toMatchObject({ digest: `sha256:${hash}` });
  await axe(page, "report");

  // The report can be read without the service; what is none is refused with a sentence.
  await page.getByRole("link", { name: "All access reviews" }).click();
  await expect(
    page.getByRole("region", { name: "Access reviews" }).getByRole("row", { name: /Closed/ }),
  ).toBeVisible();
  const choose = (content: string | Buffer) =>
    page
      .getByLabel("Access review file")
      .setInputFiles({ name: "review.json", mimeType: "application/json", buffer: Buffer.from(content) });
  await choose(report.subarray(0, 100));
  await expect(page.getByText("This file isn't valid JSON, so it isn't an access review.")).toBeVisible();
  await choose(report);
  await expect(page.getByRole("cell", { name: /Revoke.*Left the project/ })).toBeVisible();
});

test("200 role bindings take at most 2.2 keys each", async ({ person }) => {
  test.setTimeout(300_000);
  const { page, api, organization, open } = person;
  const team = await folder(api, organization, "team");
  await boundMachines(api, team, { count: 200, role: "editor" });
  await open(`access-review?group=${param(team)}`);
  await startReview(page);
  await expect(page.getByText("200 role bindings: 200 decisions left. Open")).toBeVisible();
  let keys = 0;
  const press = async (key: string) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  // Of ten: seven are kept, two reduced, one revoked; of twenty, one has a note.
  for (let index = 0; index < 200; index += 1) {
    /* oxlint-disable no-await-in-loop */
    await expect(
      card(page).getByRole("heading", { name: `m-${String(index).padStart(3, "0")}` }),
    ).toBeVisible();
    if (index % 20 === 0) for (const key of ["n", ..."ok", "Enter"]) await press(key);
    for (const key of index % 10 === 9 ? "x" : index % 10 > 6 ? "rr" : "k") await press(key);
    /* oxlint-enable no-await-in-loop */
  }
  await expect(page.getByText("200 role bindings: all decided. Open")).toBeVisible();
  expect(keys / 200).toBeLessThanOrEqual(2.2);
  await step(page, "Result").click();
  await page.getByRole("button", { name: "Apply 60 changes" }).click();
  const dialog = page.getByRole("dialog", { name: "Apply 60 changes?" });
  await dialog.getByRole("button", { name: "Apply 60 changes" }).click();
  await expect(page.getByText("Everything that was decided has been applied, or was refused.")).toBeVisible({
    timeout: 120_000,
  });
  const roles = Object.values(await rolesIn(api, team));
  expect(roles.filter((role) => role === "editor")).toHaveLength(140);
  expect(roles.filter((role) => role === "viewer")).toHaveLength(40);
  expect(roles).toHaveLength(180);
});
