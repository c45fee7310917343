import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { address } from "../api";
import { expect, gate, test } from "../fixtures";

const PROGRAM = fileURLToPath(new URL("../../packages/command/bin/platform.mjs", import.meta.url));

/** Runs `platform`; `seen` gets what it has written to standard error so far. */
function platform(home: string, args: readonly string[], seen: (err: string) => void = () => undefined) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env["PATH"] ?? "", XDG_CONFIG_HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (part: Buffer) => (out += part.toString()));
  child.stderr.on("data", (part: Buffer) => seen((err += part.toString())));
  return once(child, "close").then(([code]) => ({ code: code as number, out, err }));
}

test(
  "somebody signs in to the command in the browser, and lists in the terminal what the console shows @engines",
  gate,
  async ({ person }) => {
    const { page, email, password, organization, api } = person;
    await api.post(`/iam/v2/groups/${organization.uid}`, { name: "runtime" });
    const home = await mkdtemp(join(tmpdir(), "command-"));
    let found: (asked: string) => void = () => undefined;
    const asked = new Promise<string>((resolve) => (found = resolve));
    const ended = platform(home, ["login", "--no-browser", "--server", address()], (err) => {
      const [printed] = /^https?:\/\/\S+\/auth\?\S+$/m.exec(err) ?? [];
      if (printed !== undefined) found(printed);
    });

    // Signed in to the console already, and asked all the same.
    await page.goto(await asked);
    await expect(page.getByText("The command platform asks you to sign in.")).toBeVisible();
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Signed in" })).toBeVisible();
    expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\?/);

    const { code, err } = await ended;
    expect(code).toBe(0);
    expect(err).toContain(`You are signed in to ${address()} as ${email}.`);
    expect((await stat(join(home, "platform/sessions.json"))).mode & 0o777).toBe(0o600);
    const listed = await platform(home, ["list", "groups", "--parent", organization.uid, "-o", "table"]);
    expect(listed.out).toMatch(/^NAME .*UID\nruntime .*\n$/);
    expect((await platform(home, ["logout"])).code).toBe(0);
    expect((await platform(home, ["list", "groups", "--server", address()])).code).toBe(3);
    await rm(home, { recursive: true });
  },
);
