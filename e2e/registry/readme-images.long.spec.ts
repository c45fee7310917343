import { expect, ownService, test } from "../faulty";
import { param } from "../records";
import { makeRepo, writeReadme } from "../repos";

/** Nothing listens there: only the request matters. */
const ALLOWED = "http://127.0.0.1:9";

test.use({ serviceVariables: { README_IMAGE_ORIGINS: ALLOWED } });

test(
  "images of a host that the operator allows are loaded, those of others are not",
  ownService,
  async ({ faulty }) => {
    const { page, context, open } = faulty;
    const { uid } = await makeRepo(faulty, { name: "web" });
    const other = "http://127.0.0.1:10/b.png";
    await writeReadme(faulty, uid, `![allowed](${ALLOWED}/a.png)\n\n![other](${other})`);
    const asked = new Set<string>();
    context.on("request", (request) => void asked.add(request.url()));
    await open(`repos/${param(uid)}`);
    const readme = page.getByRole("region", { name: "Readme" });
    await expect(readme.getByRole("link", { name: "other" })).toBeVisible();
    await expect(readme.getByRole("img", { name: "allowed" })).toBeAttached();
    await expect.poll(() => [...asked]).toContain(`${ALLOWED}/a.png`);
    expect(asked.has(other)).toBe(false);
  },
);
