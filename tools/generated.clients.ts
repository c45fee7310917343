import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
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

/** What a client does in the organization of the test; each line is typed by what was generated. */
const STORY = `
const root = process.env["ORGANIZATION"]!;
const child = await create(root, "child");
const listed = await list();
const patched = await patch(child.uid!, { name: "child", description: "new" });
await remove(child.uid!);
const status = await missing(child.uid!);
const violated = await invalid(root);
console.log(JSON.stringify({
  child: child.name, listed: listed.some((one) => one.uid === child.uid),
  patched: patched.description, status, violated,
}));
`;

const FETCH = `
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";
const api = createClient<paths>({
  baseUrl: process.env["API"]!,
  headers: { authorization: \`Bearer \${process.env["TOKEN"]}\` __CONTENT_TYPE__ },
  pathSerializer: (address, variables) =>
    address.replace(/\\{(\\w+)\\}/g, (_, name: string) => String(variables[name])),
});
function got<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}
const create = async (uid: string, name: string) =>
  got(await api.POST("/iam/v2/groups/{uid}", { params: { path: { uid } }, body: { name } }));
const list = async () => got(await api.GET("/iam/v2/groups", { params: { query: { __PAGE_SIZE__: 10 } } })).groups ?? [];
// The published document requires the name here as well.
const patch = async (uid: string, body: { name: string; description: string }) =>
  got(await api.PATCH("/iam/v2/groups/{uid}", { params: { path: { uid } __MASK__ }, body }));
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
import { __CREATE__, __DELETE__, __GET__, __LIST__, __UPDATE__ } from "./client/sdk.gen.js";
client.setConfig({ baseUrl: process.env["API"]!, headers: { authorization: \`Bearer \${process.env["TOKEN"]}\` __CONTENT_TYPE__ } });
function got<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}
const create = async (uid: string, name: string) => got(await __CREATE__({ path: { uid }, body: { name } }));
const list = async () => got(await __LIST__({ query: { __PAGE_SIZE__: 10 } })).groups ?? [];
// The published document requires the name here as well.
const patch = async (uid: string, body: { name: string; description: string }) =>
  got(await __UPDATE__({ path: { uid } __MASK__, body }));
const remove = async (uid: string) => void (await __DELETE__({ path: { uid } }));
const missing = async (uid: string) => (await __GET__({ path: { uid } })).error?.code;
const invalid = async (uid: string) => {
  // @ts-expect-error A name is required, and there is no such field.
  const { error } = await __CREATE__({ path: { uid }, body: { nme: "x" } });
  return error?.message;
};
${STORY}`;

/** A document, and how it spells what both have. */
interface Source {
  readonly text: () => Promise<string>;
  /** Generated clients send the type of the document, or leave it to the caller. */
  readonly type: string;
  readonly words: Readonly<Record<string, string>>;
}
const OURS = {
  CREATE: "groupsCreate",
  DELETE: "groupsDelete",
  GET: "groupsGet",
  LIST: "groupsList",
  UPDATE: "groupsUpdate",
  PAGE_SIZE: "page_size",
  MASK: ', query: { updateMask: "description" }',
};
/** A file with the published API's document, which is not part of this repository. */
const { PUBLISHED_OPENAPI: published } = process.env;
const ANY_TYPE = `, "content-type": "*/*"`;
/** Our document with the type that the published one has for every body. */
const withAnyType = (api: string): string =>
  JSON.stringify(
    JSON.parse(api, (key, value: { content: Record<string, unknown> }) =>
      key === "requestBody" ? { ...value, content: { "*/*": value.content["application/json"] } } : value,
    ),
  );
const SOURCES: Readonly<Record<string, Source>> = {
  "/openapi.json": { text: async () => document, type: "", words: OURS },
  // As the published document says of every body.
  "/openapi.json with bodies of any type": {
    text: async () => withAnyType(document),
    type: ANY_TYPE,
    words: OURS,
  },
  ...(published !== undefined && {
    "the published document": {
      text: () => readFile(published, "utf8"),
      type: ANY_TYPE,
      words: {
        CREATE: "groupsServiceCreateGroup",
        DELETE: "groupsServiceDeleteGroup",
        GET: "groupsServiceGetGroup",
        LIST: "groupsServiceListGroups",
        UPDATE: "groupsServiceUpdateGroup",
        PAGE_SIZE: "pageSize",
        MASK: "",
      },
    },
  }),
};
const CASES = Object.keys(SOURCES).flatMap((source) =>
  ["openapi-typescript", "@hey-api/openapi-ts"].map((generator) => [generator, source] as const),
);

test.each(CASES)(
  "%s makes a client of %s: list, create, patch, delete, errors, strict types",
  async (generator, source) => {
    const { text, type, words } = SOURCES[source]!;
    const api = await text();
    if (type !== "") expect(api).toContain('"*/*"');
    await writeFile(at("api.json"), api);
    const isHey = generator.startsWith("@hey");
    if (isHey) {
      const args = ["-i", at("api.json"), "-o", at("client"), "-c", "@hey-api/client-fetch"];
      execFileSync(program("openapi-ts"), args, { cwd: folder, stdio: "pipe" });
    } else
      execFileSync(program("openapi-typescript"), [at("api.json"), "-o", at("schema.ts")], { stdio: "pipe" });
    const named = Object.entries({ ...words, CONTENT_TYPE: type });
    await writeFile(
      at("story.ts"),
      named.reduce((story, [name, word]) => story.replaceAll(`__${name}__`, word), isHey ? HEY : FETCH),
    );
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
    const token = await service.token("client-maker");
    const made = await service.call("POST", "/iam/v2/groups", { token, body: { name: "clients" } });
    const { uid = "" } = made.json as { uid?: string };
    const env = { ...process.env, API: service.url, TOKEN: token, ORGANIZATION: uid };
    // Not synchronously: the service is in this process.
    const { stdout } = await promisify(execFile)(process.execPath, [at("out/story.js")], {
      cwd: folder,
      env,
    });
    expect(JSON.parse(stdout)).toEqual({
      child: "child",
      listed: true,
      patched: "new",
      status: 5,
      violated: expect.stringContaining("name"),
    });
  },
  5 * MINUTES,
);
