import { execFile, execFileSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { RequestInfo } from "platform-client/request-info";
import { identities } from "platform-contract/iam/identities";

import { requestInfoOf, type QueryFacts } from "./request-info";
import { curlOf, shellWord } from "./curl";
import { infinite, one, total } from "../queries/queries";

const HOSTILE = [
  "it's",
  '"; rm -rf /tmp/x; "',
  "$(touch /tmp/pwned) `id` ${HOME} $TOKEN",
  "two\nlines\r\n",
  "back\\slash \\' \\",
  "!history & | > < * ? [a] {b} ~ #",
  "'",
  "''\\''",
  "-n",
  "@/etc/passwd",
  "a=b&c=d%20+é 名前",
];

/** The first request of a query. */
const askedFirst = ({ meta }: { meta?: QueryFacts | undefined }, data?: unknown): RequestInfo =>
  requestInfoOf(meta, data)[0] as RequestInfo;

test.each(HOSTILE)("quotes %j as one shell word", (text) => {
  const printed = execFileSync("sh", ["-c", `printf %s ${shellWord(text)}`], { env: { TOKEN: "secret" } });
  expect(printed.toString()).toBe(text);
});

describe("a command", () => {
  const asked: {
    method: string;
    url: string;
    authorization: string | undefined;
    justification: unknown;
    body: string;
  }[] = [];
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const justification = headers["change-justification"];
      asked.push({ method, url, authorization: headers.authorization, justification, body });
      response.end("{}");
    });
  });
  let base = "";
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
  });
  afterAll(() => server.close());

  const run = async (command: string) => {
    await promisify(execFile)("sh", ["-c", command], { env: { ...process.env, TOKEN: "of-the-reader" } });
    return asked.at(-1);
  };

  test.each(HOSTILE)("sends the same request as the console for %j", async (name) => {
    const query = { name, "uidp.ids": ["a/b", name], order_by: "name desc" };
    const list = askedFirst(infinite(identities.list, query));
    const sent = await run(curlOf(base, list));
    const { pathname, searchParams } = new URL(sent?.url ?? "", base);
    expect(pathname).toBe("/base/iam/v2/identities");
    expect([...searchParams]).toEqual([
      ["name", name],
      ["uidp.ids", "a/b"],
      ["uidp.ids", name],
      ["order_by", "name desc"],
      ["page_size", "50"],
    ]);
    expect(sent?.authorization).toBe("Bearer of-the-reader");
  });

  test.each(HOSTILE)("sends the same body as the console for %j", async (name) => {
    const body = { name, claims: { [name]: [name] } };
    const query = { updateMask: "name,claimMatch.claims" };
    const update = { endpoint: identities.update, path: { uid: "root/leaf" }, query, body };
    const sent = await run(curlOf(base, update));
    expect(sent).toMatchObject({ method: "PATCH", authorization: "Bearer of-the-reader" });
    expect(sent?.url).toBe("/base/iam/v2/identities/root/leaf?updateMask=name%2CclaimMatch.claims");
    expect(JSON.parse(sent?.body ?? "")).toEqual(body);
    const snake = await run(curlOf(base, update, "snake"));
    expect(snake?.url).toContain("updateMask=name%2Cclaim_match.claims");
  });

  test.each(HOSTILE)("says why as the console does for %j", async (justification) => {
    const deletion = { endpoint: identities.delete, path: { uid: "root/leaf" }, justification };
    const sent = await run(curlOf(base, deletion));
    expect(decodeURIComponent(String(sent?.justification))).toBe(
      justification.replaceAll(/[\r\n]+/g, " ").trim(),
    );
  });

  test("of a deletion has no body", async () => {
    const sent = await run(curlOf(base, { endpoint: identities.delete, path: { uid: "root/leaf" } }));
    expect(sent).toMatchObject({ method: "DELETE", url: "/base/iam/v2/identities/root/leaf", body: "" });
  });

  test("of one record has its uid in the path, its slashes raw, and no parameters", async () => {
    const get = askedFirst(one(identities.get, { uid: "root/it's $(id)" }));
    const sent = await run(curlOf(base, get));
    expect(sent?.url).toBe("/base/iam/v2/identities/root/it's%20%24(id)");
  });

  test("of a list that begins in its middle skips to there, and never has a page token", () => {
    const pages = { pages: [], pageParams: [{ skip: 480 }, { token: "secret-ish", first: 530 }] };
    const list = askedFirst(infinite(identities.list, { order_by: "name" }), pages);
    expect(list.query).toEqual({ order_by: "name", page_size: 50, skip: 480 });
    expect(curlOf(base, askedFirst(total(identities.list, {})))).toBe(
      [
        `curl -sS --get '${base}/iam/v2/identities'`,
        '-H "Authorization: Bearer $TOKEN"',
        "--data-urlencode 'page_size=1'",
      ].join(" \\\n  "),
    );
  });
});
