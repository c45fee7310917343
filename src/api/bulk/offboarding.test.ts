import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { connect } from "../client/client";
import { BulkJob, type BulkItem } from "./bulk-job";
import { offboarding } from "./offboarding";
import type { RecordToDelete } from "./teardown";

const ORG = "a".repeat(40);
const MACHINE = `${ORG}/${"b".repeat(16)}`;
const ROLE = `${ORG}/${"c".repeat(16)}`;
const NEXT = "d".repeat(40);

let sent: string[] = [];
let refuses = false;

beforeEach(() => {
  sent = [];
  refuses = false;
  vi.stubGlobal("fetch", async (url: string, { method = "GET", body }: RequestInit) => {
    const { pathname } = new URL(url);
    sent.push([method, pathname, body].filter(Boolean).join(" "));
    if (method === "PATCH" && refuses)
      return Response.json({ code: 3, message: "No role here", details: [] }, { status: 400 });
    if (method === "GET") return Response.json({ machineOwners: [{ uid: MACHINE, ownerUid: NEXT }] });
    return Response.json({ uid: MACHINE });
  });
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
});
afterEach(() => vi.unstubAllGlobals());

const machine = { uid: MACHINE, name: "owner of ci", collection: "machineOwners", owner: NEXT };
const role = { uid: ROLE, name: "viewer", collection: "roleBindings" };

/** Runs the job; resolves to the state of each item. */
function run(): Promise<string[]> {
  const items = [machine, role].map((item) => ({ ...item, state: "queued" }) as BulkItem<RecordToDelete>);
  const job = new BulkJob(items, offboarding(new QueryClient()), {
    save: () => true,
    clear: () => undefined,
  });
  return new Promise((resolve) => {
    job.subscribe(() => {
      const { status, items: now } = job.get();
      if (status === "finished") resolve(now.map(({ state }) => state));
    });
    job.resume();
  });
}

test("gives machines to the next owner before it removes access", async () => {
  expect(await run()).toEqual(["done", "done"]);
  expect(sent).toEqual([
    `PATCH /notices/v1/machineOwners/${MACHINE} {"ownerUid":"${NEXT}"}`,
    `DELETE /iam/v2/roleBindings/${ROLE}`,
  ]);
});

test("removes access although a machine couldn't be given away", async () => {
  refuses = true;
  expect(await run()).toEqual(["failed", "done"]);
});

test("finds out whether a machine was given away when no answer came", async () => {
  const work = offboarding(new QueryClient());
  expect(await work.wasDone(machine as RecordToDelete)).toBe(true);
  expect(await work.wasDone({ ...machine, owner: "" } as RecordToDelete)).toBe(false);
});
