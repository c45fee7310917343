import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startService, type TestService } from "../server/testing/service";

/** Generators of clients, with the compiler whose library they use. */
const PACKAGES = [
  "@hey-api/openapi-ts@0.78.3",
  "openapi-typescript@7.13.0",
  "openapi-fetch@0.17.0",
  "typescript@5.9.3",
  "@types/node@20.19.43",
];
const MINUTES = 60_000;

let folder: string;
let service: TestService;
let document: string;
const at = (name: string): string => path.join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "clients-"));
  const options = ["--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status, stderr } = spawnSync("npm", ["install", ...options, ...PACKAGES], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  await writeFile(at("package.json"), JSON.stringify({ type: "module" }));
  service = await startService();
  document = await (await fetch(`${service.url}/openapi.json`)).text();
}, 5 * MINUTES);
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const program = (name: string): string => at(`node_modules/.bin/${name}`);

/** What a client does; each line is typed by what was generated. */
const STORY = `
const made = await create("clients");
const child = await createBelow(made.uid, "child");
const listed = await list();
const patched = await patch(child.uid, "new");
await remove(child.uid);
const status = await missing(child.uid);
const violated = await invalid(made.uid);
console.log(JSON.stringify({
  made: made.name, child: child.name, listed: listed.some((one) => one.uid === child.uid),
  patched: patched.description, status, violated,
}));
`;

const FETCH = `
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";
const api = createClient<paths>({
  baseUrl: process.env["API"]!,
  headers: { authorization: \`Bearer \${process.env["TOKEN"]}\` CONTENT_TYPE },
  pathSerializer: (address, variables) =>
    address.replace(/\\{(\\w+)\\}/g, (_, name: string) => String(variables[name])),
});
function got<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}
const create = async (name: string) => got(await api.POST("/iam/v2/groups", { body: { name } }));
const createBelow = async (uid: string, name: string) =>
  got(await api.POST("/iam/v2/groups/{uid}", { params: { path: { uid } }, body: { name } }));
const list = async () => got(await api.GET("/iam/v2/groups", { params: { query: { page_size: 10 } } })).groups ?? [];
const patch = async (uid: string, description: string) =>
  got(await api.PATCH("/iam/v2/groups/{uid}", { params: { path: { uid }, query: { updateMask: "description" } }, body: { description } }));
const remove = async (uid: string) => void (await api.DELETE("/iam/v2/groups/{uid}", { params: { path: { uid } } }));
const missing = async (uid: string) =>
  (await api.GET("/iam/v2/groups/{uid}", { params: { path: { uid } } })).error?.code;
const invalid = async (uid: string) => {
  // @ts-expect-error A name is required, and there is no such field.
  const { error } = await api.POST("/iam/v2/groups/{uid}", { params: { path: { uid } }, body: { nme: "x" } });
  return error?.message;
};
${STORY}`;

const HEY = `
import { client } from "./client/client.gen.js";
import { groupsCreate, groupsCreateAtRoot, groupsDelete, groupsGet, groupsList, groupsUpdate } from "./client/sdk.gen.js";
client.setConfig({ baseUrl: process.env["API"]!, headers: { authorization: \`Bearer \${process.env["TOKEN"]}\` CONTENT_TYPE } });
function got<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}
const create = async (name: string) => got(await groupsCreateAtRoot({ body: { name } }));
const createBelow = async (uid: string, name: string) => got(await groupsCreate({ path: { uid }, body: { name } }));
const list = async () => got(await groupsList({ query: { page_size: 10 } })).groups ?? [];
const patch = async (uid: string, description: string) =>
  got(await groupsUpdate({ path: { uid }, query: { updateMask: "description" }, body: { description } }));
const remove = async (uid: string) => void (await groupsDelete({ path: { uid } }));
const missing = async (uid: string) => (await groupsGet({ path: { uid } })).error?.code;
const invalid = async (uid: string) => {
  // @ts-expect-error A name is required, and there is no such field.
  const { error } = await groupsCreate({ path: { uid }, body: { nme: "x" } });
  return error?.message;
};
${STORY}`;

const CASES = [
  ["openapi-typescript", "application/json"],
  ["openapi-typescript", "*/*"],
  ["@hey-api/openapi-ts", "application/json"],
  ["@hey-api/openapi-ts", "*/*"],
] as const;

// The published document says */* of every body and answer.
test.each(CASES)(
  "%s makes a client of a document that says %s: list, create, patch, delete, errors, strict types",
  async (generator, type) => {
    await writeFile(at("api.json"), document.replaceAll('"application/json"', JSON.stringify(type)));
    const isHey = generator.startsWith("@hey");
    if (isHey) {
      const args = ["-i", at("api.json"), "-o", at("client"), "-c", "@hey-api/client-fetch"];
      execFileSync(program("openapi-ts"), args, { cwd: folder, stdio: "pipe" });
    } else
      execFileSync(program("openapi-typescript"), [at("api.json"), "-o", at("schema.ts")], { stdio: "pipe" });
    // Generated clients send the type of the document, or leave it to the caller.
    const header = type === "*/*" ? `, "content-type": "*/*"` : "";
    await writeFile(at("story.ts"), (isHey ? HEY : FETCH).replace("CONTENT_TYPE", header));
    const strict = ["--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--skipLibCheck"];
    const modules = ["--module", "esnext", "--moduleResolution", "bundler", "--types", "node"];
    const checked = spawnSync(program("tsc"), [...strict, ...modules, "--noEmit", at("story.ts")], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(checked.stdout).toBe("");
    await build({
      root: folder,
      configFile: false,
      logLevel: "silent",
      ssr: { noExternal: true },
      build: { ssr: at("story.ts"), outDir: at("out") },
    });
    const env = { ...process.env, API: service.url, TOKEN: await service.token("client-maker") };
    // Not synchronously: the service is in this process.
    const { stdout } = await promisify(execFile)(process.execPath, [at("out/story.js")], {
      cwd: folder,
      env,
    });
    expect(JSON.parse(stdout)).toEqual({
      made: "clients",
      child: "child",
      listed: true,
      patched: "new",
      status: 5,
      violated: expect.stringContaining("name"),
    });
  },
  5 * MINUTES,
);
