import { address } from "../api";
import { settled } from "../addresses";
import { test } from "../fixtures";
import { staysPut } from "../layout-shift";
import { folder, param } from "../records";
import { makeRepo, writeReadme } from "../repos";
import { createTags, digestOf, NO_IMAGE } from "../tags";

test("nothing moves while a screen is loaded", async ({ person, problems }) => {
  problems.allow(NO_IMAGE);
  const { page, api, organization, open } = person;
  const deep = await folder(api, await folder(api, organization, "infrastructure"), "build-and-release");
  const repo = await makeRepo(person, { name: "cert-manager-controller-with-a-long-name" }, deep.uid);
  await writeReadme(person, repo.uid, "# Title\n\n" + "A line.\n\n".repeat(6));
  const bare = await makeRepo(person, { name: "bare" });
  const [tag] = await createTags(
    api,
    repo.uid,
    ["1.0", "1.1"].map((name, index) => ({ name, digest: digestOf(index) })),
  );
  await open("");
  const paths = ["", "groups", "repos", `repos/${param(bare)}`, `repos/${param(repo)}`, "reports"];
  for (const [width, path] of [
    ...paths.map((each) => [1280, each] as const),
    // A path that is wider than the window.
    [390, `tags/${param(tag as never)}`] as const,
  ]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(address(path));
    await settled(page, {}, path);
    await staysPut(page, `${path} at ${width} px`);
  }
});
