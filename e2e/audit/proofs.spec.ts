import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Page, TestInfo } from "@playwright/test";
import { unzipSync } from "fflate";

import { address } from "../api";
import { bind, bindTo, acceptOffers, identityOf } from "../bindings";
import { expect, test } from "../fixtures";
import { hasNoFinding } from "../lists";
import { folder, param } from "../records";
import { makeRepo } from "../repos";
import { boundMachines } from "../reviews";
import { createTags, digestOf, NO_IMAGE } from "../tags";

interface Unpacked {
  readonly name: string;
  readonly answer: Record<string, unknown>;
  readonly question: Record<string, unknown>;
  /** What the verifier says, with its exit code on the last line. */
  readonly said: string;
  readonly at: string;
}

const verify = (at: string): string => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(at, "verify.mjs")], {
    encoding: "utf8",
  });
  return `${stdout}${stderr}exit code ${status}`;
};

/** Makes the proof in the open dialog, unpacks it and runs the verifier that came with it. */
async function proofIn(page: Page, testInfo: TestInfo): Promise<Unpacked> {
  const dialog = page.getByRole("dialog", { name: "Make a proof" });
  await expect(dialog.getByText("It contains the organization's whole audit log")).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Make proof", exact: true }).click(),
  ]);
  const name = download.suggestedFilename();
  await expect(dialog.getByRole("status").filter({ hasText: "downloaded" })).toContainText(name);
  await hasNoFinding(page, "dialog");
  await dialog.getByRole("button", { name: "Close" }).last().click();
  const files = unzipSync(await readFile(await download.path()));
  for (const [path, bytes] of Object.entries(files)) {
    const file = testInfo.outputPath(path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  const at = testInfo.outputPath(name.replace(/\.zip$/, ""));
  const json = async (file: string) => JSON.parse(await readFile(join(at, file), "utf8"));
  return {
    name,
    at,
    answer: await json("answer.json"),
    question: await json("question.json"),
    said: verify(at),
  };
}

const VALID =
  /Entries: 1 to \d+, none changed[^]*VALID\. Who asked is only what question\.json says\.\nexit code 0$/;

test("who had access on a date, and a history, are proven by a file that checks itself", async ({
  person,
  signUp,
}, testInfo) => {
  const { page, api, organization, open } = person;
  const [ann, bob] = [await signUp(), await signUp()];
  const team = await folder(api, organization, "team-a");
  await bind(api, team, ann, "viewer");
  await bind(api, organization, bob, "editor");
  const annUid = await identityOf(api, ann);

  await open(`audit-log/access?group=${param(team)}`);
  const table = page.getByRole("table", { name: "Roles held" });
  await expect(table.locator("tbody").getByRole("row")).toHaveCount(3);
  await page.getByRole("button", { name: "Download this answer" }).click();
  await page.getByRole("menuitem", { name: "Make proof…" }).click();
  const access = await proofIn(page, testInfo);
  expect(access.said).toMatch(VALID);
  expect(access.name).toContain("proof-access-");
  expect(access.name).toContain(organization.name);
  expect(access.question).toMatchObject({
    kind: "access",
    group: team.uid,
    service: address().replace(/\/$/, ""),
    organization: { uid: organization.uid, name: organization.name },
    askedBy: { uid: await identityOf(api, person) },
    notProven: [],
  });
  expect(access.answer["unknown"]).toEqual([]);
  const held = access.answer["held"] as { identity: string; roleName: string }[];
  expect(held.map(({ roleName }) => roleName).toSorted()).toEqual(["editor", "owner", "viewer"]);
  expect(held.find(({ identity }) => identity === annUid)).toMatchObject({ roleName: "viewer" });

  // Somebody leaves an entry out, and writes the answer as if it had never been.
  const lines = (await readFile(join(access.at, "entries.jsonl"), "utf8")).split("\n");
  const at = lines.findIndex((line) => line.includes(annUid));
  writeFileSync(join(access.at, "entries.jsonl"), lines.toSpliced(at, 1).join("\n"));
  const found = verify(access.at);
  expect(found).toContain("WRONG  entries.jsonl: isn't the file of SHA256SUMS");
  expect(found).toContain(`WRONG  entries.jsonl line ${at + 1}: has entry ${at + 2} instead of ${at + 1}`);
  expect(found).toContain("exit code 1");

  await open(`groups/${param(team)}`);
  const history = page.getByRole("region", { name: "History" });
  await history.getByRole("button", { name: "Save this history" }).click();
  await page.getByRole("menuitem", { name: "Make proof…" }).click();
  const told = await proofIn(page, testInfo);
  expect(told.said).toMatch(VALID);
  expect(told.answer["entries"]).toMatchObject([{ action: "groups.create", record: { uid: team.uid } }]);
});

test("who may read the log of a folder only is told why they can't make a proof", async ({
  person,
  signUp,
}) => {
  const { api, organization } = person;
  const team = await folder(api, organization, "team-a");
  const ann = await signUp();
  await bindTo(api, team, await identityOf(api, ann), "owner");
  await acceptOffers(ann);
  const { page, open } = ann;
  await open(`audit-log/access?group=${param(team)}`);
  await page.getByRole("button", { name: "Download this answer" }).click();
  const item = page.getByRole("menuitem", { name: /^Make proof…/ });
  await expect(item).toHaveAttribute("aria-disabled", "true");
  await expect(item).toContainText("A proof needs the organization's whole audit log");
});

interface Item {
  readonly uid: string;
  readonly etag: string;
  readonly bindingUid: string;
}

test("a finished access review is proven by a file that checks itself, with its signed report", async ({
  person,
}, testInfo) => {
  const { page, api, organization, open } = person;
  const team = await folder(api, organization, "team");
  await boundMachines(api, team, { count: 2, role: "editor" });
  const review = await api.post<{ uid: string }>(`/access/v1/reviews/${team.uid}`, {
    title: "Autumn",
    dueTime: new Date(Date.now() + 86_400_000).toISOString(),
    reviewerRule: "REVIEWER_RULE_FOLDER_OWNERS",
  });
  const { accessReviewItems } = await api.get<{ accessReviewItems: (Item & { inherited?: boolean })[] }>(
    `/access/v1/reviewItems?review=${review.uid}`,
  );
  const own = accessReviewItems.filter(({ inherited }) => !inherited);
  for (const [index, { uid, etag }] of own.entries())
    await api.post(`/access/v1/reviewItems/${uid}:decide`, {
      etag,
      decision: index === 0 ? "REVIEW_DECISION_REVOKE" : "REVIEW_DECISION_KEEP",
      note: `"Left" – ${index}`,
    });
  await api.post(`/access/v1/reviews/${review.uid}:apply`, {});
  await api.post(`/access/v1/reviews/${review.uid}:close`, {});

  await open(`access-review?group=${param(team)}&review=${param(review)}&step=result`);
  await page.getByRole("button", { name: "Make proof…" }).click();
  const { name, said, answer, at } = await proofIn(page, testInfo);
  expect(said).toMatch(VALID);
  expect(said).toContain("of that, the log has only the report's hash");
  expect(name).toContain("proof-review-");
  expect(answer).toMatchObject({
    started: { byName: expect.any(String) },
    closed: { digest: expect.stringMatching(/^sha256:/) },
    decisions: own
      .map(({ bindingUid }, index) => ({
        roleBinding: bindingUid,
        decision: index === 0 ? "REVIEW_DECISION_REVOKE" : "REVIEW_DECISION_KEEP",
        note: `"Left" – ${index}`,
      }))
      .toSorted((one, other) => (one.roleBinding < other.roleBinding ? -1 : 1)),
  });
  const report = await readFile(join(at, "report.json"), "utf8");
  writeFileSync(join(at, "report.json"), report.replace("Autumn", "Spring"));
  expect(verify(at)).toContain("WRONG  report.json: isn't the report that the review was closed with");
});

test("a run of a retention rule is proven by a file that checks itself", async ({
  person,
  problems,
}, testInfo) => {
  problems.allow(NO_IMAGE);
  const { page, api, open } = person;
  const repo = await makeRepo(person, { name: "web" });
  const names = ["1.0.0", "1.0.1", "1.0.2"];
  await createTags(
    api,
    repo.uid,
    names.map((name, index) => ({ name, digest: digestOf(index) })),
  );
  const rules = `/registry-retention/v1/rules/${repo.uid}`;
  await api.post(rules, { keepNewest: 1 });
  const { previewToken, version } = await api.get<object & { previewToken: string; version: number }>(
    `${rules}/decisions`,
  );
  await api.post(`${rules}:confirm`, { previewToken, version });
  await open(`tags?repo=${param(repo)}`);
  await page.getByRole("button", { name: "More actions for web" }).click();
  await page.getByRole("menuitem", { name: "Delete old tags" }).click();
  const runs = page.getByRole("region", { name: "Runs so far" });
  await expect(runs.getByRole("row").nth(1)).toContainText("Done", { timeout: 30_000 });
  await runs.getByRole("link").click();
  await page.getByRole("button", { name: "Make proof…" }).click();
  const { said, answer, question } = await proofIn(page, testInfo);
  expect(said).toMatch(VALID);
  expect(question).toMatchObject({ place: repo.uid, version });
  const deleted = answer["deleted"] as { name: string; digest: string }[];
  expect(deleted.map(({ name, digest }) => [name, digest]).toSorted()).toEqual([
    ["1.0.0", digestOf(0)],
    ["1.0.1", digestOf(1)],
  ]);
});
