import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { resourceOf } from "platform-contract";

import { changeable, Ground, hidden } from "../../conformance/ground";
import type { Wire } from "../../conformance/world";
import { publishedFacts, publishedProto } from "./testing/published-proto";

/** Debian's, with python3-grpcio and python3-grpc-tools. */
const PYTHON = "/usr/bin/python3";
const { status } = spawnSync(PYTHON, ["-c", "import grpc, grpc_tools.protoc"]);
const MINUTES = 5 * 60_000;

let directory: string;
let ground: Ground;
let descriptors: string;

type Step = readonly [service: string, rpc: string, request: Wire];
interface PythonAnswer {
  readonly message?: Wire;
  readonly code?: string;
  readonly details?: string;
}

const methods = publishedFacts.filter(({ kind }) => kind === "method");
/** Published services with their create method, by the collection of their records. */
const CREATED = methods.flatMap(({ parent, name }) => {
  const [, single] = /^Create(\w+)$/.exec(name) ?? [];
  return single === undefined ? [] : [{ service: parent.slice(1), single }];
});

const collectionOf = (single: string): string => {
  const plural = single.endsWith("y") ? `${single.slice(0, -1)}ies` : `${single}s`;
  return plural.charAt(0).toLowerCase() + plural.slice(1);
};

/** Runs each story in one Python process; not synchronously, since the service is in this one. */
async function python(...stories: Step[][]): Promise<PythonAnswer[][]> {
  const { world, owner } = ground;
  const input = JSON.stringify({ target: new URL(world.service.url).host, token: owner.token, stories });
  const client = new URL("testing/client.py", import.meta.url).pathname;
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
  const child = execFile(PYTHON, [client, descriptors], { env, maxBuffer: 2 ** 26, timeout: MINUTES });
  child.stdin?.end(input);
  const [out, errors] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
  if (out === "") throw new Error(errors);
  return JSON.parse(out) as PythonAnswer[][];
}

describe.skipIf(status !== 0)("a Python client with the published proto files", () => {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "python-client-"));
    descriptors = join(directory, "published.pb");
    const files = publishedProto();
    for (const [name, text] of files) await writeFile(join(directory, name), text);
    const options = [`--proto_path=${directory}`, "--include_imports", `--descriptor_set_out=${descriptors}`];
    // Its own files of well-known types come with it.
    const run =
      "import sys, pkg_resources as p; from grpc_tools import protoc; " +
      "sys.exit(protoc.main(sys.argv + ['-I' + p.resource_filename('grpc_tools', '_proto'), '-I/usr/include']))";
    execFileSync(PYTHON, ["-W", "ignore", "-c", run, ...options, ...files.keys()], { stdio: "pipe" });
    ground = await Ground.open();
  }, MINUTES);
  afterAll(async () => {
    await ground?.world.service.stop();
    await rm(directory, { recursive: true, force: true });
  });

  test("every resource that the published API creates has a story", () => {
    expect(CREATED.map(({ single }) => collectionOf(single)).toSorted()).toEqual([
      "accountAssociations",
      "externalGroupRoleMappings",
      "groupInvites",
      "groups",
      "identities",
      "identityProviders",
      "repos",
      "roleBindings",
      "roles",
      "subscriptions",
      "tags",
    ]);
  });

  test.each(CREATED)(
    "$single: created, read, listed, changed if it can be, and deleted",
    async ({ service, single }) => {
      const collection = collectionOf(single);
      const resource = resourceOf(collection)!;
      const has = (rpc: string) =>
        methods.some(({ parent, name }) => parent === `.${service}` && name === rpc);
      const field = single.charAt(0).toLowerCase() + single.slice(1);
      const sample = ground.samples.get(collection)!;
      const { other } = changeable(collection, sample);
      const place = ground.places[resource.parent] ?? ground.folder;
      const parent = await ground.world.room(ground.owner, collection, place);
      const plural = `List${single.endsWith("y") ? `${single.slice(0, -1)}ies` : `${single}s`}`;
      const canChange = has(`Update${single}`);
      const updateMask = Object.keys(other)
        .map((key) => key)
        .join(",");
      const [answers = []] = await python([
        [service, `Create${single}`, { parent, [field]: sample.made }],
        [service, `Get${single}`, { uid: "$uid" }],
        [service, plural, { uidp: { descendantsOf: parent } }],
        ...(canChange
          ? ([
              [service, `Update${single}`, { [field]: { uid: "$uid", ...other }, updateMask }],
              [service, `Get${single}`, { uid: "$uid" }],
            ] as Step[])
          : []),
        [service, `Delete${single}`, { uid: "$uid" }],
        [service, `Get${single}`, { uid: "$uid" }],
      ]);
      expect(answers.slice(0, -1).map(({ code, details }) => [code, details])).toEqual(
        answers.slice(0, -1).map(() => [undefined, undefined]),
      );
      const [created, read, listed] = answers.map(({ message = {} }) => message);
      const { uid } = created!;
      expect(read).toMatchObject({ uid, ...hidden(collection, sample.made) });
      expect((listed![collection] as Wire[]).map((one) => one["uid"])).toContain(uid);
      if (canChange) expect(answers[4]?.message).toMatchObject({ uid, ...hidden(collection, other) });
      expect(answers.at(-1)?.code).toBe("NOT_FOUND");
    },
    MINUTES,
  );

  test(
    "a role's capabilities are the published enum: replaced without a mask, and an unknown number is refused",
    async () => {
      const service = "chainguard.platform.iam.v2.RolesService";
      const role = (capabilities: unknown[]) => ({ name: "python", capabilities });
      const [answers = []] = await python([
        [
          service,
          "CreateRole",
          { parent: ground.folder, role: role(["CAP_IAM_GROUPS_LIST", "CAP_REPO_LIST"]) },
        ],
        [service, "UpdateRole", { role: { uid: "$uid", ...role(["CAP_IAM_ROLES_LIST"]) } }],
        [service, "GetRole", { uid: "$uid" }],
        [service, "UpdateRole", { role: { uid: "$uid", ...role([99_999]) } }],
        [service, "GetRole", { uid: "$uid" }],
      ]);
      expect(answers[0]?.message?.["capabilities"]).toEqual(["CAP_IAM_GROUPS_LIST", "CAP_REPO_LIST"]);
      expect(answers[2]?.message?.["capabilities"]).toEqual(["CAP_IAM_ROLES_LIST"]);
      expect([answers[3]?.code, answers[3]?.details]).toEqual([
        "INVALID_ARGUMENT",
        expect.stringContaining("capabilities[0]"),
      ]);
      expect(answers[4]?.message?.["capabilities"]).toEqual(["CAP_IAM_ROLES_LIST"]);
    },
    MINUTES,
  );
});
