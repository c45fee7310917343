import { execFileSync, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decodeJwt } from "jose";

import { Ground } from "../../conformance/ground";
import type { Wire } from "../../conformance/world";
import { builtInRoleUid } from "../../domains/access/roles.table";

export const VERIFIER = fileURLToPath(new URL("../../../src/domains/audit/proof/verifier", import.meta.url));
/** The files of each bundle besides its manifest. */
export const NAMES = [
  "README.txt",
  "answer.json",
  "answer.mjs",
  "entries.jsonl",
  "head.jws",
  "keys.json",
  "question.json",
  "verify.mjs",
];
const ROLES = ["owner", "editor", "viewer"].map(builtInRoleUid);

export const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
export const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!;
const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");

/** What is hashed of an entry. */
export function hashOf({ uid, createTime, sequence, previousHash, ...rest }: Wire): string {
  const text = JSON.stringify({ ...rest, hash: undefined });
  return sha256([previousHash, sequence, uid, Date.parse(createTime), text].join("\n"));
}

/** Answers questions in a program of their own: the service's tests don't import the console. */
export function answers(kind: string, questions: readonly Wire[], entries: readonly Wire[]): Wire[] {
  const program = `import { startFold } from ${JSON.stringify(join(VERIFIER, `${kind}.mjs`))};
    import { readFileSync } from "node:fs";
    const { questions, entries } = JSON.parse(readFileSync(0));
    console.log(JSON.stringify(questions.map((question) => {
      const fold = startFold(question);
      for (const entry of entries) fold.add(entry);
      return fold.end();
    })));`;
  const options = { input: JSON.stringify({ questions, entries }), maxBuffer: 1e9 };
  return JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "-e", program], options).toString(),
  );
}

/** Writes the manifest of a folder anew, as somebody does who knows how. */
export const rehash = (at: string, names: readonly string[] = NAMES): void =>
  writeFileSync(
    join(at, "SHA256SUMS"),
    names.map((name) => `${sha256(readFileSync(join(at, name)))}  ${name}\n`).join(""),
  );

/** Runs the verifier of one folder on another one, with a Node. */
export function run(program: string, at = program, options: readonly string[] = [], node = process.execPath) {
  const found = spawnSync(node, [join(program, "verify.mjs"), at, ...options], { encoding: "utf8" });
  return { status: found.status, said: `${found.stdout}${found.stderr}` };
}

/** A service with an organization whose log is proven. */
export async function openProof() {
  const { world, owner, organization, folder } = await Ground.open();
  const work = mkdtempSync(join(tmpdir(), "proof-"));
  let bundles = 0;

  const get = async (path: string): Promise<Wire> =>
    (await world.service.call("GET", path, { token: owner.token })).json as Wire;

  /** What a proof is made of, as the API gives it. */
  async function parts() {
    const { heads } = await get("/audit/v1/heads");
    const head = (heads as Wire[]).find((one) => one["organization"] === organization)!;
    const entries: Wire[] = [];
    let token: string | undefined;
    do {
      const query = { "uidp.descendants_of": organization, order_by: "created_at", page_size: "200" };
      const search = new URLSearchParams({ ...query, ...(token !== undefined && { page_token: token }) });
      const page = await get(`/audit/v1/entries?${search}`);
      entries.push(...page["auditEntries"]);
      token = page["nextPageToken"];
    } while (token);
    entries.sort((one, other) => Number(one["sequence"]) - Number(other["sequence"]));
    return { head, entries, keys: (await get("/audit/v1/jwks.json"))["keys"] as Wire[] };
  }

  /** Writes a bundle, as the console does. @returns its folder */
  function bundle(
    kind: string,
    about: Wire,
    { head, entries, keys }: Awaited<ReturnType<typeof parts>>,
    more: Readonly<Record<string, string>> = {},
  ): string {
    const at = join(work, `bundle-${(bundles += 1)}`);
    mkdirSync(at);
    const { iss: service } = decodeJwt(head["signature"]);
    const question = { kind, service, organization: { uid: organization }, ...about, time: head["time"] };
    const [answer] = answers(kind, [question], entries);
    const files: Readonly<Record<string, string>> = {
      "README.txt": "read me\n",
      "answer.json": json(answer),
      "entries.jsonl": entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""),
      "head.jws": head["signature"],
      "keys.json": json({ keys }),
      "question.json": json(question),
      ...more,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(at, name), text);
    copyFileSync(join(VERIFIER, "verify.mjs"), join(at, "verify.mjs"));
    copyFileSync(join(VERIFIER, `${kind}.mjs`), join(at, "answer.mjs"));
    rehash(at, [...NAMES, ...Object.keys(more)]);
    return at;
  }

  /** A copy of a bundle that is changed; its clean verifier says what it finds. */
  function changing(at: string, node?: string) {
    const copy = join(work, "changed");
    const write = (name: string, text: string) => writeFileSync(join(copy, name), text);
    return {
      copy,
      write,
      flip: (name: string, place: number, bit: number) => {
        const bytes = readFileSync(join(copy, name));
        bytes[place % bytes.length]! ^= 1 << bit;
        writeFileSync(join(copy, name), bytes);
      },
      /** @param names of the files of a new manifest */
      after: (change: () => void, names?: readonly string[]) => {
        rmSync(copy, { recursive: true, force: true });
        cpSync(at, copy, { recursive: true });
        change();
        if (names) rehash(copy, names);
        return run(at, copy, [], node);
      },
    };
  }

  /** A time between two writes: the service's clock has milliseconds. */
  async function between(): Promise<string> {
    const start = Date.now();
    while (Date.now() <= start + 2) await get("/ping/v2/ping");
    return new Date(start + 1).toISOString();
  }

  /** Grants, changes and takes away at random. @returns moments between */
  async function busy(turns: number): Promise<string[]> {
    const word = () => randomBytes(3).toString("hex");
    const below = await world.create(owner, "groups", folder, { name: `below ${word()}` });
    const people = await Promise.all(
      ["ann", "bob", "carol"].map((name) => world.person(`${name} ${word()}`)),
    );
    const bindings: string[] = [];
    const moments: string[] = [];
    const soon = () => new Date(Date.now() + pick([20, 60, 86_400_000])).toISOString();
    const once = async (): Promise<unknown> => {
      const what = Math.random();
      const [uid, roleUid, identityUid] = [pick(bindings), pick(ROLES), pick(people).uid];
      if (uid === undefined || what < 0.4) {
        const body = { identityUid, roleUid, ...(Math.random() < 0.3 && { expirationTime: soon() }) };
        const parent = pick([organization, folder, below]);
        const made = await world.send(owner.token, "roleBindings.create", { parent, body });
        return made.status === 200 ? bindings.push((made.json as Wire)["uid"]) : undefined;
      }
      if (what < 0.7) {
        const body = what < 0.6 ? { roleUid } : { identityUid };
        return world.send(owner.token, "roleBindings.update", { uid, body });
      }
      return world.send(owner.token, "roleBindings.delete", { uid });
    };
    for (let turn = 0; turn < turns; turn += 1) {
      await once();
      if (turn % 4 === 0) moments.push(await between());
    }
    // Until what ends soon has ended.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return [...moments, await between()];
  }

  const close = async () => {
    rmSync(work, { recursive: true });
    await world.service.stop();
  };
  return { world, owner, organization, folder, get, parts, bundle, changing, between, busy, close };
}
