import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";

import type { PlanStep } from "platform-client/plan/planned";

import { connect } from "../client/client";
import type { BulkItem } from "./bulk-job";
import { planApplication, stepToApply, type StepToApply } from "./plan-application";

const ROOT = "a".repeat(40);
const TEAM = `${ROOT}/${"b".repeat(16)}`;
const FOLDER: PlanStep = {
  id: "create groups acme/team",
  how: "create",
  collection: "groups",
  path: "acme/team",
  parent: ROOT,
  fields: [],
  body: { name: "team" },
  needs: [],
};
const INSIDE: PlanStep = {
  ...FOLDER,
  id: "create groups acme/team/ci",
  path: "acme/team/ci",
  parent: { ref: FOLDER.id },
  body: { name: "ci" },
  needs: [FOLDER.id],
};

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
}

function link(answer: (sent: Sent) => object, idempotencyKeys = true): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", async (address: string, { method = "GET", headers }: RequestInit = {}) => {
    const one = { method, path: new URL(address).pathname, key: new Headers(headers).get("idempotency-key") };
    sent.push(one);
    return Response.json(answer(one));
  });
  connect({
    baseUrl: "https://api.example",
    token: async () => "t",
    onUnauthenticated: () => undefined,
    idempotencyKeys,
  });
  return sent;
}
afterEach(() => vi.unstubAllGlobals());

const item = (step: PlanStep, done?: string): BulkItem<StepToApply> => ({
  ...stepToApply(step),
  state: done === undefined ? "queued" : "done",
  newUid: done,
});

it("puts the uid of what was created in place of a reference", async () => {
  const sent = link(() => ({ uid: `${TEAM}/${"c".repeat(16)}`, name: "ci" }));
  const work = planApplication(new QueryClient(), { run: "r" });
  const made = await work.send(item(INSIDE), [item(FOLDER, TEAM), item(INSIDE)]);
  expect(sent).toMatchObject([{ method: "POST", path: `/iam/v2/groups/${TEAM}` }]);
  expect(made).toMatchObject({ newUid: `${TEAM}/${"c".repeat(16)}` });
});

it("does not try what needs a step that is not done", async () => {
  const sent = link(() => ({}));
  const work = planApplication(new QueryClient(), { run: "r" });
  await expect(work.send(item(INSIDE), [item(FOLDER), item(INSIDE)])).rejects.toThrow("Not tried");
  expect(sent).toEqual([]);
});

it("sends a step with the same key in each try of a run, and another one in another run", async () => {
  const sent = link(() => ({ uid: TEAM, name: "team" }));
  const client = new QueryClient();
  const [work, other] = [planApplication(client, { run: "r" }), planApplication(client, { run: "s" })];
  await work.send(item(FOLDER), [item(FOLDER)]);
  await work.send(item(FOLDER), [item(FOLDER)]);
  await other.send(item(FOLDER), [item(FOLDER)]);
  const [first, second, third] = sent.map(({ key }) => key);
  expect(first).toBe(second);
  expect(third).not.toBe(first);
});

it("looks first whether a step that a reload interrupted was done", async () => {
  const sent = link(({ method }) =>
    method === "GET" ? { groups: [{ uid: TEAM, name: "team" }] } : { uid: TEAM, name: "team" },
  );
  const work = planApplication(new QueryClient(), { run: "r" });
  expect(await work.wasDone(item(FOLDER))).toBe(false);
  const made = await work.send(item(FOLDER), [item(FOLDER)]);
  expect(sent.map(({ method }) => method)).toEqual(["GET"]);
  expect(made).toMatchObject({ newUid: TEAM, reason: "It was so already." });
});
