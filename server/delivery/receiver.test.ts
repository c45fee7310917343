import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test, vi } from "vitest";

import { World } from "../conformance/world";
import { startReceiver } from "../testing/receiver";

const root = join(import.meta.dirname, "../..");

/** Runs the example program from docs/operating.md as a process. */
async function startShown(variables: Record<string, string>): Promise<{ url: string; lines: string[] }> {
  const document = await readFile(join(root, "docs/operating.md"), "utf8");
  const [, program = ""] = /receiver: begin -->\s+```js\n([^]*?)```/.exec(document) ?? [];
  // Here it can resolve jose.
  const directory = await mkdtemp(join(root, "node_modules/.receiver-"));
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  await writeFile(join(directory, "receiver.mjs"), program);
  const child = spawn(process.execPath, [join(directory, "receiver.mjs")], {
    env: { ...variables, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    child.kill();
    if (child.exitCode === null) await once(child, "exit");
    await rm(directory, { recursive: true });
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  const url = `http://127.0.0.1:${port}/`;
  await vi.waitFor(() => fetch(url), { timeout: 20_000 });
  return { url, lines };
}

test("the receiver of the documentation takes what was signed for it, and nothing else", async () => {
  const world = await World.open();
  onTestFinished(() => world.service.stop());
  const owner = await world.person("owner");
  const group = await world.create(owner, "groups", "", { name: "organization" });
  const { issuer } = world.service.config;
  const shown = await startShown({ ISSUER: issuer, GROUP: group });
  const copy = await startReceiver({ issuer });
  onTestFinished(() => copy.stop());
  await world.create(owner, "subscriptions", group, { sink: shown.url });
  const inside = await world.create(owner, "groups", group, { name: "inside" });
  await vi.waitFor(() => expect(shown.lines.join("\n")).toContain(`iam.group.created.v1 ${inside}`), {
    timeout: 20_000,
  });

  // Another subscriber's event, this one with another body, and one without a token.
  await world.create(owner, "subscriptions", group, { sink: copy.url });
  await world.create(owner, "subscriptions", inside, { sink: `${copy.url}/inside` });
  await vi.waitFor(
    () => expect(copy.arrived.some(({ claims }) => claims.sub === `webhook:${inside}`)).toBe(true),
    {
      timeout: 20_000,
    },
  );
  const before = shown.lines.length;
  const repeat = async (sub: string, change: (body: string) => string) => {
    const { token, event } = copy.arrived.find(({ claims }) => claims.sub === sub)!;
    const headers = { authorization: `Bearer ${token}` };
    const body = change(JSON.stringify(event.data));
    return (await fetch(shown.url, { method: "POST", headers, body })).status;
  };
  const same = (body: string) => body;
  expect(await repeat(`webhook:${group}`, same)).toBe(204);
  expect(await repeat(`webhook:${inside}`, same)).toBe(403);
  expect(await repeat(`webhook:${group}`, (body) => body.replace("{", "{ "))).toBe(403);
  expect((await fetch(shown.url, { method: "POST", body: "{}" })).status).toBe(403);
  await vi.waitFor(() => expect(shown.lines.length).toBeGreaterThan(before));
});
