import { format } from "@cdktn/hcl-tools";
import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createClient, type Client } from "platform-client";
import { groups } from "platform-contract/iam/groups";
import { groupInvites } from "platform-contract/iam/group-invites";
import { identityProviders } from "platform-contract/iam/identity-providers";

import { startService, type TestService } from "../../../server/testing/service";
import { kindNamed } from "../records/kinds";
import { terminalAt, type Terminal } from "../testing/terminal";
import { EXPORTED } from "./provider";
import { bodyAt, parsed, textIn } from "./testing/parsed";

let service: TestService;
let home: string;
let terminal: Terminal;
let client: Client;
let scope: string;

async function tokenOf(email: string): Promise<string> {
  const [found] = await service.database.query<{ definition: string | { claimMatch: { subject: string } } }>(
    "select definition from identities where email_unverified = $1",
    [email],
  );
  const definition = typeof found?.definition === "string" ? JSON.parse(found.definition) : found?.definition;
  return service.token(definition.subject ?? definition.claimMatch?.subject);
}
const runAs = async (email: string, ...args: string[]) =>
  terminal.run(args, { env: { PLATFORM_TOKEN: await tokenOf(email), PLATFORM_SERVER: service.url } });
const run = (...args: string[]) => runAs("owner@demo.example", "terraform", "export", ...args);

beforeAll(async () => {
  service = await startService({
    SEED: "demo",
    ADMIN_EMAIL: "owner@demo.example",
    ADMIN_PASSWORD: "a long password",
  });
  home = await mkdtemp(join(tmpdir(), "terraform-"));
  terminal = terminalAt(home);
  execFileSync(process.execPath, ["tools/build.mjs", "--stale", "command"], { stdio: "inherit" });
  client = createClient({ baseUrl: service.url, token: await tokenOf("owner@demo.example") });
  const root = await client.call(groups.list, { query: { "uidp.in_root": true } });
  scope = root.items[0]?.uid ?? "";
});
afterAll(async () => {
  await service.stop();
  await rm(home, { recursive: true, force: true });
});

test("the demo organization is written whole, as Terraform reads and lays it out", async () => {
  const secret = "planted-secret-of-a-provider";
  const [provider] = (await client.call(identityProviders.list, { query: { "uidp.descendants_of": scope } }))
    .items;
  const oidc = { ...provider?.oidc, clientSecret: secret };
  await client.call(identityProviders.update, {
    path: { uid: provider?.uid ?? "" },
    query: { updateMask: "oidc" },
    body: { oidc } as never,
  });
  const ended = await run("--scope", scope);
  expect(ended).toMatchObject({ code: 0 });
  expect(await format(ended.out)).toBe(ended.out);
  const read = await parsed(ended.out);
  const bodies = new Map(read.import?.map(({ to, id }) => [id, bodyAt(read, to)]));
  let count = 0;
  for (const collection of EXPORTED) {
    const kind = kindNamed(collection);
    const query = { "uidp.descendants_of": scope };
    // oxlint-disable-next-line no-await-in-loop -- a caller has two at once
    for await (const row of client.items(kind.list, { query })) {
      count += 1;
      const body = bodies.get(row.uid);
      expect(body, `${collection} ${row.uid}`).toBeDefined();
      for (const field of ["name", "description", "sink"])
        if (
          collection !== "roleBindings" &&
          typeof row[field] === "string" &&
          row[field] !== "" &&
          !(collection === "subscriptions" && field === "name")
        )
          expect(textIn(String(body?.[field])), `${collection} ${row.uid}.${field}`).toBe(row[field]);
    }
  }
  // And the organization.
  expect(count).toBeGreaterThan(40);
  expect(read.import).toHaveLength(count + 1);
  const resources = Object.values(read.resource ?? {}).flatMap(Object.values);
  expect(resources).toHaveLength(count + 1);
  // Every reference is to something that is there.
  const text = JSON.stringify(read.resource);
  for (const [, address = ""] of text.matchAll(/"\$\{(?!data\.|var\.)([\w.]+)\.id\}"/g))
    expect(bodyAt(read, address), address).toBeDefined();
  for (const [, type = "", name = ""] of text.matchAll(/"\$\{data\.(\w+)\.(\w+)\.items/g))
    expect(read.data?.[type]?.[name], name).toBeDefined();
  // Secrets are in it as variables alone.
  expect(ended.out).not.toContain(secret);
  const [invite] = (await client.call(groupInvites.list, { query: { "uidp.descendants_of": scope } })).items;
  expect(invite?.keyId).toBeTruthy();
  expect(ended.out).not.toContain(invite?.keyId);
  // What is left out is said in both places.
  expect(ended.err).toMatch(/^Not written:\n[^]*- tags \(\d+\): they are pushed/);
  for (const line of ended.err.trim().split("\n")) expect(ended.out).toContain(`\n# ${line}`);
});

test("a directory gets a file per kind, and keeps what is not the command's", async () => {
  const directory = join(home, "infra/");
  expect(await run("--scope", scope, "--out", directory)).toMatchObject({ code: 0, out: "" });
  const names = (await readdir(directory)).toSorted();
  expect(names).toEqual(
    ["main", "groups", "identities", "roles", "role_bindings", "identity_providers", "repos", "subscriptions"]
      .map((name) => `${name}.tf`)
      .toSorted(),
  );
  for (const name of names) {
    // oxlint-disable-next-line no-await-in-loop
    const text = await readFile(join(directory, name), "utf8");
    // oxlint-disable-next-line no-await-in-loop
    expect(await format(text), name).toBe(text);
  }
  const single = join(home, "single.tf");
  expect(await run("--scope", scope, "--out", single)).toMatchObject({ code: 0, out: "" });
  // Again over its own, and not over another one.
  expect(await run("--scope", scope, "--out", single)).toMatchObject({ code: 0 });
  await writeFile(single, "# mine\n");
  const refused = await run("--scope", scope, "--out", single);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.err).toContain("was not written by this command");
  expect(await readFile(single, "utf8")).toBe("# mine\n");
});

test("what may not be listed ends it, and a wrong word is said", async () => {
  const folder = await runAs("folders@demo.example", "terraform", "export", "--scope", scope);
  expect(folder.code).toBe(1);
  expect(await run()).toMatchObject({ code: 2, err: expect.stringContaining("Of what?") });
  expect(await runAs("owner@demo.example", "terraform", "import")).toMatchObject({
    code: 2,
    err: expect.stringContaining("platform terraform export"),
  });
});
