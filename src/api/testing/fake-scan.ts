import { expect, vi } from "vitest";

import { groups } from "platform-contract/iam/groups";

import { infinite } from "../queries/queries";
import { shouldRetry } from "../queries/query-client";
import { scan } from "../paging/scan";
import { FakeGroups, ROOT, type FakeGroup } from "./fake-groups";

export const input = { "uidp.children_of": ROOT, page_size: 200, order_by: "name" };
export const ends7 = ({ uid }: { uid: string }) => uid.endsWith("7");

/** A scan of this many groups, not started, with helpers to inspect it and its service. */
export function setUp(count: number, matches: (group: FakeGroup) => boolean = ends7, query: object = input) {
  const service = new FakeGroups(count);
  const retryPolicy = { retry: shouldRetry, retryDelay: (failures: number) => 300 * 3 ** failures };
  const scanned = scan<FakeGroup>(infinite(groups.list, query), matches, retryPolicy);
  const pages = () =>
    service.asked.splice(0).map((asked) => asked.replace(/&?(?:page_size=200|order_by=name)&?/g, ""));
  const uids = () => scanned.get().rows.map(({ uid }) => uid);
  const summary = () => {
    const { state, rows, read, total } = scanned.get();
    return [state, rows.length, read, total];
  };
  /** Holds responses to pages after this row; resolves when the first of them is requested. */
  const holdFrom = async (row: number) => {
    service.held = (asked) => asked.includes(`page_token=${row}`) || row === 0;
    await vi.waitFor(() => expect(service.asked.some((asked) => service.held?.(asked))).toBe(true));
  };
  const letGo = () => {
    service.held = undefined;
    service.release();
  };
  return { service, scanned, pages, uids, summary, holdFrom, letGo };
}
