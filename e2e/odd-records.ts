import type { Page } from "@playwright/test";

import type { Group } from "platform-contract/iam/groups";

import { expect, type Faulty } from "./faulty";

export type Row = Record<string, unknown> & { uid: string; name: string };

const nested = (levels: number): unknown => JSON.parse(`${'{"in":'.repeat(levels)}1${"}".repeat(levels)}`);

/** How the service's response is altered, by the name of the record. */
export const ODDITIES: Readonly<Record<string, (row: Row) => object>> = {
  "right-to-left": (row) => ({ ...row, name: "\u202eמגן דוד\u202dabc" }),
  "very-long": (row) => ({ ...row, name: "n".repeat(4096), description: "d".repeat(4096) }),
  "markup-and-controls": (row) => ({ ...row, name: '<img src=x onerror=alert(1)>\u0000\u0007\u001b[31m"' }),
  nameless: ({ uid }) => ({ uid }),
  "no-dates": (row) => ({
    ...row,
    createTime: "yesterday",
    updateTime: "",
    lastSeenTime: "0000-00-00T00:00:00Z",
  }),
  "of-tomorrow": (row) => ({
    ...row,
    kind: "ORG_KIND_TOMORROW",
    status: "ORG_STATUS_ASLEEP",
    later: nested(3000),
  }),
  "numbers-without-end": (row) => ({ ...row, resourceLimits: { images: 1e300, seats: -1 } }),
  "nothing-but-nulls": (row) => ({
    ...row,
    description: null,
    claimMatch: null,
    catalogTier: null,
    aliases: null,
    customOverlay: null,
    createTime: null,
    updateTime: null,
  }),
  "another-kind": (row) => ({
    ...row,
    claimMatch: undefined,
    matchOfTomorrow: { eyes: "blue" },
    catalogTier: "CATALOG_TIER_OF_TOMORROW",
    sync_config: { source: "a repo elsewhere", expirationTime: "soon" },
    customOverlay: {
      contents: { packages: ["p".repeat(300)] },
      accounts: { users: [{ username: "u", quota: 7 }] },
    },
  }),
};

export const odd = (row: Row): object => ODDITIES[row.name]?.(row) ?? row;

/** Shown where a record has no name: the beginning and the end of its uid. */
export const SHORT_UID = /^[0-9a-f]{8}…[0-9a-f]{8}$/;

const shell = (page: Page) => page.getByRole("navigation", { name: "Main" });

/** Creates one folder for each oddity in the test's organization. */
export const makeFolders = ({ api, organization }: Faulty): Promise<Group[]> =>
  Promise.all(
    Object.keys(ODDITIES).map((name) => api.post<Group>(`/iam/v2/groups/${organization.uid}`, { name })),
  );

/** Asserts that the screen rendered: navigation, a heading, and no internal error. */
export async function stands(page: Page): Promise<void> {
  await expect(shell(page)).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText("Something went wrong in the console.")).toBeHidden();
}
