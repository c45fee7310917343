import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";

import { TIMES } from "../platform/mail/sender";
import { openSignIn, signUp } from "../platform/oidc/testing";
import { startBuilt } from "../testing/built-service";
import { startMailServer } from "../testing/mail-server";

test("a mail that was promised before `kill -9` is sent after the next start", async () => {
  const directory = await mkdtemp(path.join(tmpdir(), "mail-kill-"));
  const first = await startMailServer();
  const { port } = first;
  const variables = {
    PORT: "0",
    DATA_DIR: directory,
    SEED: "none",
    SIGN_UP: "open",
    SMTP_URL: first.url,
    MAIL_FROM: "console@platform.example",
  };
  let service = await startBuilt(variables);
  const email = "ada@example.com";
  await signUp(service.url, { email, password: "correct horse battery" });
  await first.until(1);
  await first.stop();
  const { browser, page } = await openSignIn(service.url);
  const answer = await browser.submit(`${page.url}/forgot-password`, { email });
  expect(answer.body).toContain("Check your mail");
  // At once: the promise is all that the process has made.
  await service.end("SIGKILL");
  const second = await startMailServer({ port });
  try {
    service = await startBuilt(variables);
    // If the first process had already taken it, its lease ends first.
    const [mail] = await second.until(1, TIMES.lease / 1000 + 30);
    expect(mail?.to).toBe(email);
    expect((await fetch(mail?.link.replace(/^http:\/\/[^/]+/, service.url) ?? "")).status).toBe(200);
  } finally {
    await service.end("SIGTERM");
    await second.stop();
    await rm(directory, { recursive: true, force: true });
  }
}, 300_000);
