import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

import { World, type Person } from "../../conformance/world";

const run = promisify(execFile);

/** The programs of docs/signatures.md, by language. */
const PROGRAMS = [
  ["js", "verify.mjs", process.execPath, ["node"]],
  ["bash", "verify.sh", "bash", ["bash", "curl", "jq", "xxd", "openssl"]],
] as const;

const isThere = (program: string): boolean => {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

let world: World;
let owner: Person;
let organization: string;
let page: string;
let directory: string;

beforeAll(async () => {
  world = await World.open();
  owner = await world.person("owner");
  organization = await world.create(owner, "groups", "", { name: "organization" });
  page = await readFile(fileURLToPath(new URL("../../../docs/signatures.md", import.meta.url)), "utf8");
  directory = await mkdtemp(join(tmpdir(), "signatures-"));
});
afterAll(async () => {
  await world.service.stop();
  await rm(directory, { recursive: true });
});

/** A file with its signature beside it; `content` is what is signed. */
async function signedFile(name: string, content: string): Promise<string> {
  const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
  const { signature } = await world.make(owner, "groups.signSnapshot", {
    uid: organization,
    body: { digest },
  });
  const file = join(directory, name);
  await writeFile(file, content);
  await writeFile(`${file}.jws`, String(signature));
  return file;
}

test.each(PROGRAMS.filter(([, , , needs]) => needs.every(isThere)))(
  "the documented program in %s accepts a signature, and refuses another file, signature or service",
  async (language, name, program) => {
    const [, code = ""] = new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, "s").exec(page) ?? [];
    const script = join(directory, name);
    await writeFile(script, code);
    const { url } = world.service;
    const verify = async (file: string, service = url) =>
      run(program, [script, file, service], { cwd: directory });

    const file = await signedFile(`${language}.json`, '{"groups": []}\n');
    expect((await verify(file)).stdout).toContain(owner.uid);

    await writeFile(file, '{"groups": [1]}\n');
    await expect(verify(file)).rejects.toThrow("Command failed");

    const other = await signedFile(`${language}-other.json`, "{}\n");
    await verify(other);
    const [head, body, end = ""] = (await readFile(`${other}.jws`, "utf8")).split(".");
    const changed = end.startsWith("A") ? `B${end.slice(1)}` : `A${end.slice(1)}`;
    await writeFile(`${other}.jws`, `${head}.${body}.${changed}`);
    await expect(verify(other)).rejects.toThrow("Command failed");

    const third = await signedFile(`${language}-third.json`, "{}\n");
    await expect(verify(third, url.replace("127.0.0.1", "localhost"))).rejects.toThrow("Command failed");
  },
);
