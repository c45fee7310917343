import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";

import { World } from "../../conformance/world";
import { startReceiver } from "../../testing/receiver";

const root = join(import.meta.dirname, "../../..");

/** Runs an example program from docs/ as a process: the one after the comment `<mark>: begin`. */
async function startShown(
  file: string,
  mark: string,
  variables: Record<string, string>,
): Promise<{ url: string; lines: string[] }> {
  const document = await readFile(join(root, "docs", file), "utf8");
  const [, program = ""] = new RegExp(`${mark}: begin -->\\s+\`\`\`js\\n([^]*?)\`\`\``).exec(document) ?? [];
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
  await vi.waitFor(() => fetch(url, { method: "POST" }), { timeout: 20_000 });
  return { url, lines };
}

test("the receiver of the documentation takes what was signed for it, and nothing else", async () => {
  const world = await World.open();
  onTestFinished(() => world.service.stop());
  const owner = await world.person("owner");
  const group = await world.create(owner, "groups", "", { name: "organization" });
  const { issuer } = world.service.config;
  const shown = await startShown("operate/connect.md", "receiver", { ISSUER: issuer, GROUP: group });
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

test("the forwarder of the documentation sends messages to Slack and Teams, and again after a failure", async () => {
  const world = await World.open();
  onTestFinished(() => world.service.stop());
  const owner = await world.person("owner");
  const group = await world.create(owner, "groups", "", { name: "organization" });
  const messages: Record<string, unknown[]> = {};
  let failures = 1;
  const target = createServer((request, response) => {
    void text(request).then((body) => {
      if (failures-- > 0) return response.writeHead(500).end();
      (messages[request.url ?? ""] ??= []).push(JSON.parse(body));
      return response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void target.close());
  const at = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
  const { issuer } = world.service.config;
  for (const format of ["slack", "teams", "generic"]) {
    const shown = await startShown("receivers.md", "forwarder", {
      ISSUER: issuer,
      GROUP: group,
      FORMAT: format,
      TARGET: `${at}/${format}`,
      TYPES: "iam.group.",
    });
    await world.create(owner, "subscriptions", group, { sink: shown.url });
    expect((await fetch(shown.url, { method: "POST", body: "{}" })).status).toBe(403);
  }
  const name = "a & b";
  const uid = await world.create(owner, "groups", group, { name });
  await vi.waitFor(() => expect(Object.keys(messages)).toHaveLength(3), { timeout: 20_000 });
  expect(messages).toMatchObject({
    "/slack": [{ text: "iam group created: a &amp; b" }],
    "/teams": [
      {
        type: "message",
        attachments: [
          {
            contentType: "application/vnd.microsoft.card.adaptive",
            content: {
              type: "AdaptiveCard",
              body: [{ type: "TextBlock", text: `iam group created: ${name}` }],
            },
          },
        ],
      },
    ],
    "/generic": [{ type: "dev.chainguard.api.iam.group.created.v1", subject: uid, body: { uid, name } }],
  });
});
