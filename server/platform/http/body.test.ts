import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { endpoints } from "platform-contract";
import { errorInfo, fieldViolations } from "platform-contract/status";

import { callerWith, send, startApp, type TestApp } from "../../testing/app";

const ROOT = "ab".repeat(20);
const CHILD = `${ROOT}/${"cd".repeat(8)}`;
const everything = [...new Set(endpoints.flatMap(({ access }) => access.needs))];
const signedIn = { authorization: "Bearer good" };
const asJson = { ...signedIn, "content-type": "application/json" };
const fields = (answer: { json: Parameters<typeof fieldViolations>[0] }) =>
  fieldViolations(answer.json).map(({ field }) => field);

let app: TestApp;
const to = (path: string) => `${app.url}${path}`;
const last = () => app.calls.at(-1)?.call;

beforeAll(async () => {
  app = await startApp({ caller: callerWith(everything, [ROOT]) });
});
afterAll(() => app.stop());

describe("bodies", () => {
  const create = (body: string | Buffer, headers: Record<string, string> = asJson) =>
    send(to(`/iam/v2/identities/${ROOT}`), { method: "POST", headers, body });

  test("snake_case keys become the contract's, keys of maps stay", async () => {
    await create(
      JSON.stringify({
        claim_match: { subject_pattern: "x", claims: { job_workflow_ref: "y" } },
        create_time: "now",
        some_thing: { new_key: 1 },
      }),
    );
    expect(last()?.body).toEqual({
      claimMatch: { subjectPattern: "x", claims: { job_workflow_ref: "y" } },
      createTime: "now",
      some_thing: { new_key: 1 },
    });
  });

  test("a field under two spellings is refused by name", async () => {
    const answer = await create('{"claimMatch":{"subject_pattern":"x","subjectPattern":"y"}}');
    expect(fields(answer)).toEqual(["claimMatch.subjectPattern"]);
  });

  test("no body at all is an empty object, no content type is JSON", async () => {
    expect((await create("", signedIn)).status).toBe(200);
    expect(last()?.body).toEqual({});
    expect((await create('{"name":"x"}', signedIn)).status).toBe(200);
    expect(last()?.body).toEqual({ name: "x" });
    for (const type of ["*/*", "*/*; charset=utf-8", ""]) {
      const name = `for ${type}`;
      const answer = await create(JSON.stringify({ name }), { ...signedIn, "content-type": type });
      expect([answer.status, last()?.body]).toEqual([200, { name }]);
    }
  });

  test("a key called __proto__ is refused at any depth: what copies objects would drop the condition", async () => {
    const bodies = {
      ["__proto__"]: '{"__proto__":{"name":"x"}}',
      "claimMatch.claims.__proto__":
        '{"claimMatch":{"subject":"x","claims":{"env":"x","__proto__":"admin"}}}',
      "claimMatch.claimPatterns.__proto__": String.raw`{"claimMatch":{"claimPatterns":{"__pro\u0074o__":"a"}}}`,
      "list.0.__proto__": '{"list":[{"__proto__":1}]}',
    };
    for (const [field, body] of Object.entries(bodies)) expect(fields(await create(body))).toEqual([field]);
  });

  test.each([
    ["malformed", "{", asJson, "not valid JSON"],
    ["an array", "[]", asJson, "must be a JSON object"],
    ["null", "null", asJson, "must be a JSON object"],
    ["text", '"x"', asJson, "must be a JSON object"],
    ["not UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), asJson, "not valid UTF-8"],
    [
      "a form",
      "a=b",
      { ...signedIn, "content-type": "application/x-www-form-urlencoded" },
      "application/json",
    ],
    [
      "in Latin-1",
      "{}",
      { ...signedIn, "content-type": "application/json; charset=latin1" },
      "application/json",
    ],
    ["packed", "{}", { ...asJson, "content-encoding": "gzip" }, "content-encoding"],
    [
      "too deep in what nobody knows",
      `{"x":${"[".repeat(200_000)}${"]".repeat(200_000)}}`,
      asJson,
      "100 levels",
    ],
    [
      "too deep in a known field",
      `{"claimMatch":${'{"claims":'.repeat(100)}1${"}".repeat(101)}`,
      asJson,
      "100 levels",
    ],
    ["of more values than any resource has", `{"x":[${"1,".repeat(20_000)}1]}`, asJson, "20000 values"],
    ["nested without end", "[".repeat(500_000), asJson, "not valid JSON"],
  ])("%s: 400", async (_name, body, headers, sentence) => {
    const answer = await create(body, headers);
    expect([answer.status, answer.json.code]).toEqual([400, 3]);
    expect(answer.json.message).toContain(sentence);
    expect(errorInfo(answer.json)?.reason).toBe("INVALID_ARGUMENT");
  });

  test("brackets in a text are no levels, nor are a hundred too many", async () => {
    const text = JSON.stringify({ description: `\\"${"[".repeat(500)}` });
    expect((await create(text)).status).toBe(200);
    expect(last()?.body).toEqual(JSON.parse(text));
    expect((await create(`{"x":${"[".repeat(99)}${"]".repeat(99)}}`)).status).toBe(200);
  });

  test("a body over 1 MiB: 400, whether its length is announced or not", async () => {
    const body = JSON.stringify({ description: "x".repeat(1024 * 1024) });
    const announced = await create(body);
    expect([announced.status, announced.json.code]).toEqual([400, 3]);
    const chunked = await create(body, { ...asJson, "transfer-encoding": "chunked" });
    expect([chunked.status, chunked.json.code]).toEqual([400, 3]);
    const limit = JSON.stringify({ description: "x".repeat(1024 * 1024 - 18) });
    expect((await create(limit)).status).toBe(200);
  });
});

describe("queries", () => {
  test("reach the handler under their canonical names", async () => {
    await send(to(`/iam/v2/groups?uidp.descendantsOf=${ROOT}&pageSize=5&uidp.ids=${ROOT}&colour=red`), {
      headers: signedIn,
    });
    expect(last()?.query).toEqual({ "uidp.descendants_of": ROOT, page_size: 5, "uidp.ids": [ROOT] });
  });

  test("every failing one is named", async () => {
    const answer = await send(to("/iam/v2/groups?page_size=a&page_size=b&skip=-1&name=%ff"), {
      headers: signedIn,
    });
    expect(answer.status).toBe(400);
    expect(fields(answer).toSorted()).toEqual(["name", "page_size", "skip"]);
    expect(answer.json.message).toMatch(/^Invalid argument: /);
  });

  test("two hundred uids fit", async () => {
    const ids = Array.from({ length: 200 }, () => `uidp.ids=${CHILD}/${"cd".repeat(8)}`);
    const answer = await send(to(`/iam/v2/groups?${ids.join("&")}`), { headers: signedIn });
    expect(answer.status).toBe(200);
  });
});
