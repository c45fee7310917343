import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { UNKNOWN, currentUserQuery } from "~/frame/permissions/read-current-user";
import { connect } from "~/api/client/client";
import { isDown, tryNow } from "~/api/client/connection";
import { ownerOf } from "~/auth/session";
import { groupInvites } from "platform-contract/iam/group-invites";
import { identities } from "platform-contract/iam/identities";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { writePreference } from "~/ui/preferences";

import { ASK_FIRST } from "./ask-first";
import { beginDeletion } from "./begin";
import { deletions } from "./deletions";

const person = { issuer: "https://id.example", subject: "ada", expiresAt: Infinity };
const root = "a".repeat(40);
const role = { uid: "1".repeat(40), name: "owner", capabilities: [...roleBindings.list.access.needs] };
const binding = { uid: `${root}/${"b".repeat(16)}`, identityUid: "9".repeat(40), roleUid: role.uid };
const BINDINGS = "/iam/v2/roleBindings";
const INVITES = "/iam/v2/groupInvites";

let count = 0;
let asked: string[];
let answers: Record<string, () => Response | Promise<Response>>;
let client: QueryClient;
let record: { uid: string; name: string };

const holding = (...capabilities: (typeof role)["capabilities"][]) =>
  client.setQueryData(currentUserQuery(person).queryKey, {
    state: "known",
    bindings: [binding],
    roles: [{ ...role, capabilities: capabilities.flat() }],
  });
const answering = (totalCount?: string) => () => {
  const rows = Array.from({ length: Number(totalCount ?? 0) }, () => binding);
  return Response.json({ roleBindings: rows, groupInvites: rows, ...(totalCount && { totalCount }) });
};

/** Returns "begins" only if the deletion is queued, and "asks" only if it is not. */
async function outcome(kinds = [roleBindings.list]): Promise<string> {
  const dependents = kinds.map((list) => ({ list, query: { identity: record.uid } }));
  const begun = await beginDeletion({ client, person, dependents }, identities, record).catch(
    () => "rejects",
  );
  const waits = deletions({ client, owner: ownerOf(person) })
    .get()
    .some(({ uid, state }) => uid === record.uid && state === "waiting");
  if (waits !== (begun === true))
    return `says ${begun} while it is ${waits ? "on its way out" : "left alone"}`;
  return typeof begun === "string" ? begun : begun ? "begins" : "asks";
}

beforeEach(() => {
  // Nothing is ever sent: the six seconds do not pass.
  vi.useFakeTimers();
  asked = [];
  answers = { [BINDINGS]: answering("0"), [INVITES]: answering("0") };
  client = new QueryClient({ defaultOptions: { queries: { networkMode: "always" } } });
  record = { uid: `${root}/${(count += 1).toString(16).padStart(16, "0")}`, name: `n${count}` };
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
  vi.stubGlobal("fetch", async (address: string) => {
    const { pathname, search } = new URL(address);
    asked.push(pathname + decodeURIComponent(search));
    return answers[pathname]?.() ?? Promise.reject(new TypeError("Failed to fetch"));
  });
  holding(role.capabilities);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  writePreference(ASK_FIRST, null);
});

const refuse = () => Response.json({ code: 7, message: "no" }, { status: 403 });
const unread = () => void client.removeQueries({ queryKey: currentUserQuery(person).queryKey });
const unknown = () => void client.setQueryData(currentUserQuery(person).queryKey, UNKNOWN);
const down = async () => {
  answers = {};
  tryNow();
  await vi.waitUntil(isDown);
  asked = [];
};

it.each<[string, () => unknown, expected: string, requests: number]>([
  ["nothing depends on it", () => undefined, "begins", 1],
  ["one record depends on it", () => (answers[BINDINGS] = answering("1")), "asks", 1],
  ["the service does not count", () => (answers[BINDINGS] = answering()), "asks", 1],
  ["what depends on it cannot be listed", () => holding([]), "asks", 0],
  ["who this is is not known", unknown, "asks", 0],
  ["who this is was not read yet", unread, "asks", 0],
  ["the service is down", down, "asks", 0],
  ["somebody wants to be asked", () => writePreference(ASK_FIRST, "1"), "asks", 0],
  ["the count is refused", () => (answers[BINDINGS] = refuse), "rejects", 1],
  [
    "the service breaks",
    () => (answers[BINDINGS] = () => new Response("<h1>", { status: 502 })),
    "rejects",
    1,
  ],
])("%s", async (_, arrange, expected, requests) => {
  await arrange();
  expect(await outcome()).toBe(expected);
  expect(asked).toHaveLength(requests);
});

it("asks if counting takes longer than two seconds, and ignores a late response", async () => {
  let answer: (response: Response) => void = () => undefined;
  answers[BINDINGS] = () => new Promise((resolve) => (answer = resolve));
  const found = outcome();
  let settled = false;
  void found.then(() => (settled = true));
  await vi.advanceTimersByTimeAsync(1990);
  expect(settled).toBe(false);
  await vi.advanceTimersByTimeAsync(20);
  expect(settled).toBe(true);
  expect(await found).toBe("asks");
  answer(answering("0")());
  await vi.advanceTimersByTimeAsync(100);
  expect(
    deletions({ client, owner: ownerOf(person) })
      .get()
      .map(({ uid }) => uid),
  ).not.toContain(record.uid);
});

it("counts each list once, uncached, until one is not empty", async () => {
  holding([...role.capabilities, ...groupInvites.list.access.needs]);
  const query = `?identity=${record.uid}&page_size=1`;
  answers[INVITES] = answering("1");
  expect(await outcome([roleBindings.list, groupInvites.list] as never)).toBe("asks");
  expect(asked.toSorted()).toEqual([INVITES + query, BINDINGS + query]);
  answers[INVITES] = answering("0");
  expect(await outcome([roleBindings.list, groupInvites.list] as never)).toBe("begins");
  expect(asked).toHaveLength(4);
});

it("sends no request if no kind depends on these", async () => {
  expect(await outcome([])).toBe("begins");
  expect(asked).toEqual([]);
});
