import { launch, type ElementHandle } from "puppeteer-core";

import { find, KIT, needsKit, untilThere, type Engine, type Target } from "./engine";

const PROGRAM = "/usr/bin/firefox-esr";
export const firefox = { name: "Firefox ESR", programs: [PROGRAM], start };

/** Firefox over WebDriver BiDi. */
async function start(): Promise<Engine> {
  const browser = await launch({ browser: "firefox", executablePath: PROGRAM, headless: true });
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 860 });
  const seen: string[] = [];
  page.on("pageerror", (error) => seen.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") seen.push(`${message.text()} ${message.location().url ?? ""}`.trim());
  });

  const call: Engine["call"] = async (work, ...args) => {
    if (await page.evaluate(needsKit)) await page.evaluate(KIT);
    return page.evaluate(work as never, ...args) as Promise<ReturnType<typeof work>>;
  };
  const there = (target: Target) =>
    untilThere(
      () => `no ${JSON.stringify(target)}`,
      async () => {
        if (await page.evaluate(needsKit)) await page.evaluate(KIT);
        return (await page.evaluateHandle(find, target)).asElement() as ElementHandle | null;
      },
    );
  return {
    goto: async (address) => void (await page.goto(address)),
    call,
    click: async (target) => (await there(target)).click(),
    type: async (target, text) => (await there(target)).type(text),
    errors: async () => seen,
    close: () => browser.close(),
  };
}
