import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";

import { readConfig } from "../../config";
import { openSignIn } from "../oidc/testing";
import { send } from "../../testing/app";
import { startService } from "../../testing/service";

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1"/></svg>';

test("name, logo and links are on the page, in config.json and on the sign-in page, as text", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "branding-"));
  await writeFile(path.join(folder, "logo.svg"), LOGO);
  const service = await startService({
    BRAND_TITLE: "A & B <i>Platform</i>",
    BRAND_LOGO: path.join(folder, "logo.svg"),
    BRAND_ACCENT: "#00796B",
    SUPPORT_URL: "mailto:help@example.com",
    IMPRINT_URL: 'https://example.com/imprint?a="b"&c',
  });
  const page = await send(`${service.url}/`, { headers: { accept: "text/html" } });
  expect(page.bytes.toString()).toContain("<title>A &amp; B &lt;i>Platform&lt;/i></title>");
  const { json } = await service.call("GET", "/config.json");
  expect(json).toMatchObject({ title: "A & B <i>Platform</i>", supportUrl: "mailto:help@example.com" });
  expect(page.bytes.toString()).toContain('<link rel="stylesheet" href="./accent.css">');
  const accent = await send(`${service.url}/accent.css`);
  expect([accent.status, accent.headers["content-type"]]).toEqual([200, "text/css; charset=utf-8"]);
  expect(accent.bytes.toString()).toContain("--pc-accent-fill: light-dark(#00796b, #00796b);");
  const logo = await send(`${service.url}/favicon.svg`);
  expect([logo.bytes.toString(), logo.headers["content-type"]]).toEqual([LOGO, "image/svg+xml"]);
  // A script in it does not run, should somebody open it by itself.
  expect(logo.headers["content-security-policy"]).toContain("default-src 'none'");
  const { page: form } = await openSignIn(service.url);
  expect(form.body).toContain("A &amp; B &lt;i&gt;Platform&lt;/i&gt;</title>");
  const [, sheet = ""] = /rel="stylesheet" href="([^"]+)"/.exec(form.body) ?? [];
  const styles = await send(new URL(sheet, service.url).href);
  expect(styles.bytes.toString()).toContain("--accent-fill: light-dark(#00796b, #00796b);");
  expect(form.body).toContain('<a href="mailto:help@example.com">Support</a>');
  expect(form.body).toContain('<a href="https://example.com/imprint?a=&quot;b&quot;&amp;c">Imprint</a>');
  expect(form.headers.get("content-security-policy")).toContain("img-src 'self'");
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

test("without settings, it is Platform Console, and has no such links", async () => {
  const service = await startService();
  const { page: form } = await openSignIn(service.url);
  expect(form.body).toContain(" - Platform Console</title>");
  expect(form.body).not.toMatch(/>(?:Support|Imprint)</);
  const page = await send(`${service.url}/`, { headers: { accept: "text/html" } });
  expect(page.bytes.toString()).not.toContain("accent.css");
  await service.stop();
});

test.each([
  ["BRAND_LOGO", "/etc/logo.png", "must be the path of an .svg file"],
  ["BRAND_ACCENT", "teal", "must be a color such as #4348e0"],
  ["SUPPORT_URL", "javascript:alert(1)", "must be an http or https address, or mailto: and an email address"],
  ["SUPPORT_URL", "mailto:a@b?cc=c@d", "must be an http or https address, or mailto: and an email address"],
  ["IMPRINT_URL", "imprint.html", "must be an http or https address"],
  ["BRAND_TITLE", "x".repeat(41), "must have at most 40 characters"],
])("%s=%s is refused", (name, value, sentence) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name}: ${sentence}`);
});

test("a logo that is not there keeps it from starting, with its name", async () => {
  await expect(startService({ BRAND_LOGO: "/nonexistent/logo.svg" })).rejects.toThrow(
    "BRAND_LOGO: /nonexistent/logo.svg cannot be read (ENOENT)",
  );
});
