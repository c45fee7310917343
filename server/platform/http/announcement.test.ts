import { expect, test, vi } from "vitest";

import { announcementAt, readConfig } from "../../config";
import { send } from "../../testing/app";
import { startService } from "../../testing/service";
import { openSignIn } from "../oidc/testing";

const UNTIL = "2030-01-31T18:00:00+01:00";

test("an announcement is in config.json, in the page and on the sign-in page, as text, until its end", async () => {
  const service = await startService({
    ANNOUNCEMENT: "Maintenance <b>on</b> Saturday",
    ANNOUNCEMENT_LEVEL: "warning",
    ANNOUNCEMENT_LINK: "https://status.example.com/42?a=b&c",
    ANNOUNCEMENT_UNTIL: UNTIL,
  });
  const { json } = await service.call("GET", "/config.json");
  expect(json).toMatchObject({
    announcement: {
      text: "Maintenance <b>on</b> Saturday",
      level: "warning",
      link: "https://status.example.com/42?a=b&c",
      until: "2030-01-31T17:00:00.000Z",
    },
  });
  const home = () => send(`${service.url}/`, { headers: { accept: "text/html" } });
  expect((await home()).bytes.toString()).toContain("Maintenance \\u003cb>on");
  const { page } = await openSignIn(service.url);
  expect(page.body).toContain('<section class="announcement warning" aria-label="Announcement">');
  expect(page.body).toContain("Maintenance &lt;b&gt;on&lt;/b&gt; Saturday");
  expect(page.body).toContain('<a href="https://status.example.com/42?a=b&amp;c">Details</a>');

  vi.useFakeTimers({ now: new Date(UNTIL), toFake: ["Date"] });
  try {
    expect((await service.call("GET", "/config.json")).json).not.toHaveProperty("announcement");
    expect((await home()).bytes.toString()).not.toContain("Maintenance");
    expect((await openSignIn(service.url)).page.body).not.toContain("Maintenance");
  } finally {
    vi.useRealTimers();
    await service.stop();
  }
});

test("without one, nothing says so", async () => {
  const service = await startService();
  expect((await service.call("GET", "/config.json")).json).not.toHaveProperty("announcement");
  expect((await openSignIn(service.url)).page.body).not.toContain('class="announcement');
  await service.stop();
});

test("without an end it stays, and its level is info", () => {
  const config = readConfig({ ANNOUNCEMENT: "Hello" });
  expect(announcementAt(config, new Date("2999-01-01"))).toMatchObject({ text: "Hello", level: "info" });
});

test.each([
  [{ ANNOUNCEMENT: "x".repeat(301) }, "ANNOUNCEMENT: must have at most 300 characters"],
  [{ ANNOUNCEMENT: "x", ANNOUNCEMENT_LEVEL: "error" }, "ANNOUNCEMENT_LEVEL: must be info or warning"],
  [
    { ANNOUNCEMENT: "x", ANNOUNCEMENT_LINK: "http://a.example" },
    "ANNOUNCEMENT_LINK: must be an https address",
  ],
  [
    { ANNOUNCEMENT: "x", ANNOUNCEMENT_LINK: "javascript:alert(1)" },
    "ANNOUNCEMENT_LINK: must be an https address",
  ],
  [
    { ANNOUNCEMENT: "x", ANNOUNCEMENT_UNTIL: "tomorrow" },
    "ANNOUNCEMENT_UNTIL: must be a time such as 2030-01-31T18:00:00Z (RFC 3339)",
  ],
  [{ ANNOUNCEMENT_UNTIL: UNTIL }, "ANNOUNCEMENT_UNTIL: set ANNOUNCEMENT too, the text"],
  [{ ANNOUNCEMENT_LVL: "info", PUBLIC_URL: "ftp://x" }, "ANNOUNCEMENT_LVL is not a setting"],
])("%o is refused", (variables, sentence) => {
  expect(() => readConfig(variables)).toThrow(sentence);
});
