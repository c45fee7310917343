import { expect, ownService, test, unique } from "../fixtures";
import { freePort, makeDataDirectory, removeDataDirectory, startBuiltService } from "../service";

test(
  "after the service was killed and started again everything is there, and the browser is still signed in",
  ownService,
  async ({ page, problems }) => {
    test.slow();
    // The browser logs errors while the service is down.
    problems.allow(/Failed to load resource/);
    const directory = await makeDataDirectory();
    const variables = { PORT: String(await freePort()) };
    const first = await startBuiltService(directory, variables);
    const name = unique("durable");
    await page.goto(`${first.url}/`);
    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByLabel("Email").fill(`${unique("person")}@journeys.example`);
    await page.getByLabel("Password").fill("correct horse battery staple");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("link", { name: "Create an organization" }).click();
    const drawer = page.getByRole("dialog", { name: "Create organization" });
    await drawer.getByRole("textbox", { name: "Name" }).fill(name);
    await drawer.getByRole("button", { name: "Create organization" }).click();
    await expect(page.getByRole("table", { name: "Groups" }).getByRole("link", { name })).toBeVisible();

    const gone = new Promise((resolve) => first.process.once("exit", resolve));
    first.process.kill("SIGKILL");
    await gone;
    const second = await startBuiltService(directory, variables);
    try {
      await page.reload();
      await expect(page.getByRole("table", { name: "Groups" }).getByRole("link", { name })).toBeVisible();
      // A tab without tokens signs in through the provider's session, which survived the restart.
      const tab = await page.context().newPage();
      await tab.goto(`${second.url}/`);
      await expect(tab.getByRole("heading", { name, level: 1 })).toBeVisible();
    } finally {
      await second.stop();
      await removeDataDirectory(directory);
    }
  },
);
