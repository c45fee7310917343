import { Metadata, status as Code, type ServiceError } from "@grpc/grpc-js";
import { connect, type ClientHttp2Session } from "node:http2";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { endpoints } from "platform-contract";

import { protoFiles } from "./files";
import stored from "./numbers.json" with { type: "json" };
import { Numbering } from "./numbers";
import { bytesOf } from "./reflection";
import { createProtos } from "./registry";
import { protoText } from "./text";
import { GrpcClient, type Fields } from "../../testing/grpc";
import { OverGrpc } from "../../testing/over-grpc";
import { reflect } from "../../testing/reflection";
import { startService, type TestService } from "../../testing/service";

let service: TestService;
let client: GrpcClient;
let token: string;
let organization: string;

const call = async (method: string, request: Fields): Promise<Fields> =>
  (await client.call(method, request, { token })).message;

beforeAll(async () => {
  service = await startService();
  client = new GrpcClient(service.url);
  token = await service.token("owner");
  const group = { name: "organization" };
  organization = (await call("iam.v2.GroupsService/CreateGroup", { group }))["uid"];
});
afterAll(async () => {
  client.close();
  await service.stop();
});

/** Base 128, low groups first (protobuf's encoding). */
const varint = (value: number): Buffer =>
  value < 128 ? Buffer.of(value) : Buffer.concat([Buffer.of((value & 127) | 128), varint(value >>> 7)]);

const refusalOf = (work: Promise<unknown>): Promise<ServiceError> =>
  work.then(
    () => {
      throw new Error("it was not refused");
    },
    (error: ServiceError) => error,
  );

describe("a stock client with the written proto files", () => {
  test("creates, reads over HTTP what it created, lists page by page, deletes", async () => {
    const names = ["one", "two", "three"];
    for (const name of names)
      await call("registry.v2.ReposService/CreateRepo", {
        parent: organization,
        repo: { name, bundles: ["base"] },
      });
    const seen: Fields[] = [];
    for (let pageToken = ""; ;) {
      const page = await call("registry.v2.ReposService/ListRepos", {
        uidp: { childrenOf: organization },
        pageSize: 2,
        orderBy: "name desc",
        pageToken,
      });
      expect(page["totalCount"]).toBe("3");
      seen.push(...page["repos"]);
      pageToken = page["nextPageToken"];
      if (!pageToken) break;
    }
    expect(seen.map(({ name }) => name)).toEqual(["two", "three", "one"]);
    const [{ uid, createTime } = {}] = seen as [Fields];
    const { json } = await service.call("GET", `/registry/v2/repos/${uid}`, { token });
    expect(json).toMatchObject({ uid, name: "two", bundles: ["base"] });
    const seconds = Number(createTime.seconds) + createTime.nanos / 1e9;
    expect(new Date(seconds * 1000).toISOString()).toBe(json["createTime"]);
    await call("registry.v2.ReposService/DeleteRepo", { uid });
    const gone = await refusalOf(call("registry.v2.ReposService/GetRepo", { uid }));
    expect(gone.code).toBe(Code.NOT_FOUND);
  });

  test("names images by messages, which HTTP writes as one text each", async () => {
    const repo = await call("registry.v2.ReposService/CreateRepo", {
      parent: organization,
      repo: { name: "reported" },
    });
    const between = { startTime: { seconds: 1_700_000_000 }, endTime: { seconds: 1_700_000_000 } };
    const list = (...imageRefs: Fields[]) =>
      call("advisory.v2.SecurityAdvisoryService/ListResolvedVulnsReports", { imageRefs, ...between });
    await list({ repo: repo["uid"], tags: ["a", "b"] }, { repo: "reported" });
    const refused = await refusalOf(list({ repo: "reported", tags: ["a"] }, { repo: "none", tags: ["a"] }));
    expect(refused.details).toMatch(/imageRefs: .* that you can see: none$/);
    const colon = await refusalOf(list({ repo: "reported:a", tags: ["b"] }));
    expect(colon.details).toContain("must be repos");
  });

  test("a page token of one transport counts on the other", async () => {
    for (const name of ["here", "there"])
      await call("iam.v2.GroupsService/CreateGroup", { parent: organization, group: { name } });
    const search = `uidp.children_of=${organization}&page_size=1`;
    const first = (await service.call("GET", `/iam/v2/groups?${search}`, { token })).json;
    const second = await call("iam.v2.GroupsService/ListGroups", {
      uidp: { childrenOf: organization },
      pageSize: 1,
      pageToken: first["nextPageToken"],
    });
    const uids = [(first["groups"] as Fields[])[0]?.["uid"], second["groups"][0].uid];
    expect(new Set(uids).size).toBe(2);
    expect(second).not.toHaveProperty("nextPageToken");
  });

  test("an update changes what its mask names, an empty value clears, and a mask is spelled either way", async () => {
    const repo = { name: "masked", description: "old", customOverlay: { environment: { A: "1" } } };
    const { uid } = await call("registry.v2.ReposService/CreateRepo", { parent: organization, repo });
    const update = (fields: Fields, ...paths: string[]) =>
      call("registry.v2.ReposService/UpdateRepo", {
        repo: { uid, ...fields },
        ...(paths.length > 0 && { updateMask: { paths } }),
      });
    const changed = await update({ name: "No!", description: "new" }, "description");
    expect(changed).toMatchObject({ name: "masked", description: "new" });
    expect(await update({ customOverlay: { environment: { B: "2" } } }, "custom_overlay")).toMatchObject({
      customOverlay: { environment: { B: "2" } },
    });
    expect(await update({}, "customOverlay")).not.toHaveProperty("customOverlay.environment.B");
    expect(await update({ description: "" })).not.toHaveProperty("description");
    const refused = await refusalOf(update({}, "nothing"));
    expect([refused.code, refused.details]).toEqual([
      Code.INVALID_ARGUMENT,
      'Invalid argument: updateMask: "nothing" is not a field that can be updated',
    ]);
  });

  test("a role's capabilities are the published enum: written, read, changed without a mask, and the same over HTTP", async () => {
    const roleOf = (name: string, ...capabilities: (string | number)[]) => ({ name, capabilities });
    const create = (role: Fields) => call("iam.v2.RolesService/CreateRole", { parent: organization, role });
    const created = await create(roleOf("reader", "CAP_IAM_GROUPS_LIST", 303));
    expect(created["capabilities"]).toEqual(["CAP_IAM_GROUPS_LIST", "CAP_IAM_ROLES_LIST"]);
    const { uid } = created;
    const changed = await call("iam.v2.RolesService/UpdateRole", {
      role: { uid, ...roleOf("reader", "CAP_REPO_LIST") },
    });
    expect(changed["capabilities"]).toEqual(["CAP_REPO_LIST"]);
    const { json } = await service.call("GET", `/iam/v2/roles/${uid}`, { token });
    expect(json["capabilities"]).toEqual(["CAP_REPO_LIST"]);
    for (const unknown of [0, 18_000]) {
      const refused = await refusalOf(create(roleOf("unknown", "CAP_REPO_LIST", unknown)));
      expect([refused.code, refused.details]).toEqual([
        Code.INVALID_ARGUMENT,
        expect.stringMatching(/capabilities\[1\]/),
      ]);
    }
  });

  test("a write with a field that is not known here is refused whole, unless only the service sets that field", async () => {
    const raw = (method: string, request: Buffer): Promise<Buffer> =>
      new Promise((resolve, reject) => {
        const metadata = new Metadata();
        metadata.set("authorization", `Bearer ${token}`);
        client.client("iam.v2.RolesService").makeUnaryRequest<Buffer, Buffer>(
          `/chainguard.platform.${method}`,
          (bytes) => bytes,
          (bytes) => bytes,
          request,
          metadata,
          (error, answer) => (error ? reject(error) : resolve(answer!)),
        );
      });
    const { uid } = await call("iam.v2.RolesService/CreateRole", {
      parent: organization,
      role: { name: "kept", capabilities: ["CAP_REPO_LIST"] },
    });
    const bytes = (number: number, content: string | Buffer): Buffer => {
      const value = Buffer.from(content);
      return Buffer.concat([varint((number << 3) | 2), varint(value.length), value]);
    };
    const role = Buffer.concat([bytes(1, uid), bytes(2, "renamed"), bytes(77, "new")]);
    const refused = await refusalOf(raw("iam.v2.RolesService/UpdateRole", bytes(1, role)));
    expect([refused.code, refused.details]).toEqual([
      Code.INVALID_ARGUMENT,
      "Invalid argument: chainguard.platform.iam.v2.Role has no field number 77 here",
    ]);
    expect(await call("iam.v2.RolesService/GetRole", { uid })).toMatchObject({ name: "kept" });
    const provider = {
      name: "directory",
      defaultRole: uid,
      oidc: { issuer: "https://login.example.com", clientId: "console", pkceEnabled: true },
    };
    const made = await call("iam.v2.IdentityProvidersService/CreateIdentityProvider", {
      parent: organization,
      identityProvider: provider,
    });
    const scim = bytes(21, bytes(3, "https://directory.example.com/scim"));
    const update = bytes(1, Buffer.concat([bytes(1, made["uid"]), bytes(2, "renamed"), scim]));
    const mask = bytes(2, bytes(1, "name"));
    await raw("iam.v2.IdentityProvidersService/UpdateIdentityProvider", Buffer.concat([update, mask]));
    expect(
      await call("iam.v2.IdentityProvidersService/GetIdentityProvider", { uid: made["uid"] }),
    ).toMatchObject({ name: "renamed" });
  });

  test("the two operations that share a path with another one are told apart", async () => {
    const document = { name: "terms.v1", label: "Terms", url: "https://example.com/terms" };
    const { uid } = await call("iam.v2.TermsService/CreateTerms", { parent: organization, terms: document });
    const accepted = await call("iam.v2.TermsService/AcceptTerms", {
      group: organization,
      documentIds: ["terms.v1"],
    });
    expect(accepted["documentIds"]).toEqual(["terms.v1"]);
    const { termsAcceptances } = await call("iam.v2.TermsService/ListTermsAcceptances", {
      group: organization,
    });
    expect(termsAcceptances).toMatchObject([{ docId: "terms.v1" }]);
    expect(await call("iam.v2.TermsService/GetTerms", { uid })).toMatchObject(document);
    const wrong = [
      call("iam.v2.TermsService/GetTerms", { uid: organization }),
      call("iam.v2.TermsService/ListTermsAcceptances", { group: uid }),
      call("iam.v2.TermsService/AcceptTerms", { group: organization }),
    ];
    const codes = await Promise.all(wrong.map(async (work) => (await refusalOf(work)).code));
    expect(codes).toEqual([Code.NOT_FOUND, Code.NOT_FOUND, Code.INVALID_ARGUMENT]);
  });

  test("its calls have a request id, and the id that they came with", async () => {
    const ping = (headers: Record<string, string>) =>
      client.call("ping.v2.PingService/Ping", {}, { token, headers });
    expect((await ping({})).metadata.get("x-request-id")[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect((await ping({ "x-request-id": "mine-1" })).metadata.get("x-request-id")).toEqual(["mine-1"]);
  });
});

describe("a refusal", () => {
  test("says the same as over HTTP, with all its details", async () => {
    const grpc = new OverGrpc(service.url);
    const bad = { name: "Ä", claimMatch: { issuer: "nothing", claims: { "": "x" } } };
    const short = await service.token("somebody else");
    const asked = [
      ["identities.create", token, { parent: organization }, bad],
      ["groups.get", token, { uid: `${organization}/${"f".repeat(16)}` }, undefined],
      ["groups.get", short, { uid: organization }, undefined],
      ["groups.delete", token, { uid: organization }, undefined],
      ["groups.get", token, { uid: "no uid" }, undefined],
      ["groups.get", undefined, { uid: organization }, undefined],
    ] as const;
    for (const [id, bearer, variables, body] of asked) {
      const { method, path } = endpoints.find((endpoint) => endpoint.id === id)!;
      const target = path.replace(/\{\w+\}/, encodeURI(Object.values(variables)[0]!));
      const options = { ...(bearer && { token: bearer }), ...(body && { body }) };
      const http = await service.call(method, target, options);
      const over = await grpc.send(bearer, id, { variables, query: {}, body });
      expect([id, over?.status, over?.json]).toEqual([id, http.status, http.json]);
      expect(http.status).toBeGreaterThanOrEqual(400);
    }
    expect(grpc.calls).toBe(asked.length);
  });

  test("is small enough for any client: it has fewer violations, and counts the rest", async () => {
    const long = "x".repeat(200);
    const requests = Array.from({ length: 25 }, (_, index) => ({
      roleBinding: { identityUid: `${long}${index}`, roleUid: "no role" },
    }));
    const batch = { parent: organization, requests };
    const error = await refusalOf(call("iam.v2.RoleBindingsService/BatchCreateRoleBindings", batch));
    expect(error.code).toBe(Code.INVALID_ARGUMENT);
    const size = Object.entries(error.metadata.getMap()).reduce(
      (sum, [key, value]) => sum + key.length + 32 + Math.ceil(value.length / 3) * 4,
      error.details.length,
    );
    expect(size).toBeGreaterThan(3_000);
    expect(size).toBeLessThan(7_000);
    const { json } = await service.call("POST", "/iam/v2/roleBindings:batchCreate", { token, body: batch });
    const [first, all] = [error.details, json.message].map((message) => message?.split("; ") ?? []);
    const left = Number(/^and (\d+) more$/.exec(first?.at(-1) ?? "")?.[1]);
    expect((first?.length ?? 0) - 1 + left).toBe(all?.length);
    expect(first?.slice(0, -1)).toEqual(all?.slice(0, -left));
  });

  test("of one field with a long text is small as well", async () => {
    const repo = { name: `${"é".repeat(100)}`, bundles: [`${"\u{1F600}".repeat(5_000)}\0`] };
    const error = await refusalOf(
      call("registry.v2.ReposService/CreateRepo", { parent: organization, repo }),
    );
    expect(error.code).toBe(Code.INVALID_ARGUMENT);
    const [details] = error.metadata.get("grpc-status-details-bin");
    expect(error.details.length + Math.ceil(details!.length / 3) * 4).toBeLessThan(7_000);
  });

  test("of a method that does not exist, of a message that is none and of one too large is one of gRPC", async () => {
    const raw = (path: string, bytes: Buffer) =>
      refusalOf(
        new Promise((resolve, reject) => {
          const same = (value: Buffer) => value;
          client
            .client("ping.v2.PingService")
            .makeUnaryRequest(path, same, same, bytes, (error, answer) =>
              error ? reject(error) : resolve(answer),
            );
        }),
      );
    const list = "/chainguard.platform.iam.v2.GroupsService/ListGroups";
    const answers = await Promise.all([
      raw("/chainguard.platform.iam.v2.GroupsService/Nothing", Buffer.alloc(0)),
      raw(list, Buffer.from([0xff, 0xff, 0xff])),
      raw(list, Buffer.alloc(1024 * 1024 + 1)),
    ]);
    expect(answers.map(({ code }) => code)).toEqual([
      Code.UNIMPLEMENTED,
      // Like other gRPC servers.
      Code.INTERNAL,
      Code.RESOURCE_EXHAUSTED,
    ]);
  });

  test("of half a million values is one, before they are looked at", async () => {
    const capabilities = Array.from({ length: 100_000 }, () => "CAP_REPO_LIST");
    const role = { name: "large", capabilities };
    const refused = await refusalOf(call("iam.v2.RolesService/CreateRole", { parent: organization, role }));
    expect([refused.code, refused.details]).toEqual([
      Code.INVALID_ARGUMENT,
      "Invalid argument: the body must contain at most 20000 values",
    ]);
    const ids = Array.from({ length: 3_000 }, () => organization);
    const filters = await refusalOf(call("iam.v2.GroupsService/ListGroups", { uidp: { ids } }));
    expect(filters.details).toContain("the filters must be at most 65536 bytes long");
  });
});

test("a call whose deadline is over ends with that, although nobody has answered it yet", async () => {
  let [locked, release] = [() => {}, () => {}];
  const held = new Promise<void>((resolve) => (locked = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const holding = service.database.transaction(async (queries) => {
    await queries.query("lock table groups, identities, role_bindings in access exclusive mode");
    locked();
    await released;
  });
  await held;
  const session = connect(service.url);
  const stream = session.request({
    ":method": "POST",
    ":path": "/chainguard.platform.iam.v2.GroupsService/ListGroups",
    "content-type": "application/grpc",
    te: "trailers",
    "grpc-timeout": "100m",
    authorization: `Bearer ${token}`,
  });
  stream.end(Buffer.alloc(5));
  const status = await new Promise((resolve) => {
    stream.on("trailers", (trailers) => resolve(trailers["grpc-status"]));
    stream.on("response", (headers) => headers["grpc-status"] && resolve(headers["grpc-status"]));
    stream.resume();
  });
  release();
  expect(status).toBe(String(Code.DEADLINE_EXCEEDED));
  session.close();
  await holding;
});

test("reflection names every service of the contract, and its files are enough to call one", async () => {
  const { services, registry } = await reflect(service.url);
  const own = services.filter((name) => name.startsWith("chainguard."));
  const rpcs = own.flatMap((name) => registry.getService(name)?.methods ?? []);
  expect(rpcs).toHaveLength(endpoints.filter(({ isToken }) => !isToken).length);
  expect(registry.getMessage("google.rpc.BadRequest")).toBeDefined();
});

test("reflection writes each file once", () => {
  const [file] = [...createProtos(endpoints).registry.files];
  expect(bytesOf(file!)).toBe(bytesOf(file!));
});

test("every field has a stored number: npm run proto assigns the missing ones", () => {
  const { methods, numbering } = protoFiles(endpoints);
  expect(numbering.all()).toEqual(stored);
  const called = endpoints.filter(({ isToken }) => !isToken);
  expect(methods.map(({ endpoint }) => endpoint.id)).toEqual(called.map(({ id }) => id));
});

test("a field of an enum is one in the written files too, where its message has the same name", () => {
  const { files, methods, numbering } = protoFiles(endpoints);
  const file = files.find(({ package: name }) => name === "chainguard.platform.registry_images.v1")!;
  // Protobuf looks names up from the inside: unqualified, it would be the message around it.
  expect(protoText(file, methods, numbering)).toContain(
    "optional .chainguard.platform.registry_images.v1.Difference difference = 4;",
  );
});

test("a number that was given stays: a new field gets a new one, a field that is gone keeps its own", () => {
  const owner = "chainguard.platform.iam.v2.Group";
  const before = { ...stored, [owner]: { ...stored[owner], gone: 140 } };
  const { files, methods, numbering } = protoFiles(endpoints, new Numbering(before));
  expect(numbering.all()).toEqual(before);
  expect(numbering.of(owner, "another", 1)).toBe(141);
  const file = files.find(({ package: name }) => name === "chainguard.platform.iam.v2")!;
  expect(protoText(file, methods, new Numbering(before))).toContain('reserved 140;\n  reserved "gone";');
});

test("over HTTP/2 the rest of the service answers as well", async () => {
  const session: ClientHttp2Session = connect(service.url);
  const get = (path: string) =>
    new Promise<[status: unknown, text: string]>((resolve, reject) => {
      let text = "";
      let status: unknown;
      const stream = session.request({ ":path": path, authorization: `Bearer ${token}` });
      stream.setEncoding("utf8");
      stream.on("response", (headers) => (status = headers[":status"]));
      stream.on("data", (chunk) => (text += chunk));
      stream.on("error", reject).on("end", () => resolve([status, text]));
    });
  expect(await get("/healthz")).toEqual([200, '{"status":"ok"}']);
  expect(await get(`/iam/v2/groups/${organization}`)).toEqual([200, expect.stringContaining(organization)]);
  expect(await get("/oidc/.well-known/openid-configuration")).toEqual([
    200,
    expect.stringContaining("issuer"),
  ]);
  session.close();
});
