import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { act, cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";

import type { Session } from "~/auth/session";
import { uidToParam } from "~/frame/scope/uid-param";
import type { Kind } from "platform-contract/kind";
import { everyKind, kinds } from "platform-contract/kinds";
import { stubBrowser } from "~/ui/testing/render";
import { theme } from "~/ui/theme";

const GADGETS: Kind = {
  collection: "oddGadgets",
  area: "iam",
  type: "OddGadget",
  noun: "odd gadget",
  plural: "odd gadgets",
  domain: "Workshop",
  parent: "groups",
  withParent: "blocks",
  screens: true,
  access: { list: { at: "visible", needs: ["CAP_IAM_GROUPS_LIST"] } },
};
const PARTS: Kind = {
  ...GADGETS,
  collection: "gadgetParts",
  noun: "part",
  plural: "parts",
  parent: "oddGadgets",
  withParent: "goes",
};
const LEFTOVERS: Kind = {
  ...GADGETS,
  collection: "leftovers",
  noun: "leftover",
  plural: "leftovers",
  screens: false,
  withParent: "goes",
};

const ORGANIZATION = "a".repeat(40);
const GADGET = `${ORGANIZATION}/${"1".repeat(16)}`;
const PART = `${GADGET}/${"2".repeat(16)}`;

beforeAll(() => {
  stubBrowser();
  // Each test file has its own module instances, so this modifies a copy of the registry.
  for (const registry of [kinds, everyKind]) (registry as Kind[]).push(GADGETS, PARTS, LEFTOVERS);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const COUNTS: Readonly<Record<string, number>> = { oddGadgets: 3, leftovers: 2 };

/** The fake service: an organization with gadgets and leftovers that refuses to be deleted. */
function answer(address: string, method = "GET"): Response {
  const { pathname } = new URL(address);
  if (method === "DELETE")
    return Response.json(
      {
        code: 9,
        message: "Precondition failed",
        details: [
          {
            "@type": "type.googleapis.com/google.rpc.PreconditionFailure",
            violations: [{ type: "RESOURCE_NOT_EMPTY", description: "cannot delete group", subject: "x" }],
          },
        ],
      },
      { status: 400 },
    );
  // The user is unknown: everything is allowed until the service refuses it.
  if (pathname.endsWith(":lookupIdentity"))
    return Response.json({ code: 12, message: "Not implemented" }, { status: 501 });
  const group = { uid: ORGANIZATION, name: "Acme" };
  if (pathname === `/iam/v2/groups/${ORGANIZATION}`) return Response.json(group);
  const collection = pathname.split("/").at(-1) ?? "";
  const count = COUNTS[collection] ?? 0;
  const rows = count > 0 ? [{ uid: GADGET }] : address.includes("ancestors_of") ? [group] : [];
  return Response.json({ totalCount: String(count || rows.length), [collection]: rows });
}

async function show(address: string) {
  vi.stubGlobal("fetch", async (url: string, { method }: RequestInit) => answer(url, method));
  const { connect } = await import("~/api/client/client");
  const { SessionContext } = await import("~/auth/use-session");
  const { BreadcrumbBar } = await import("./breadcrumb-bar");
  const { Counts } = await import("../home/counts");
  const { Navigation } = await import("./navigation");
  const { DeleteGroup } = await import("~/domains/organization/groups/delete");
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
  const root = createRootRoute({
    component: () => (
      <>
        <Navigation />
        <BreadcrumbBar />
        <Outlet />
      </>
    ),
  });
  const leaf = (path: string, component: () => React.ReactNode = () => null) =>
    createRoute({ getParentRoute: () => root, path, component });
  const holdings = leaf("/", () => (
    <>
      <Counts group={ORGANIZATION} hidden={{ missing: new Map(), asking: new Set() }} />
      <DeleteGroup
        record={{ uid: ORGANIZATION, name: "Acme" }}
        onClose={() => undefined}
        onDeleted={() => undefined}
      />
    </>
  ));
  const router = createRouter({
    routeTree: root.addChildren([
      holdings,
      ...["/odd-gadgets/", "/odd-gadgets/$uid", "/gadget-parts/", "/gadget-parts/$uid"].map((path) =>
        leaf(path),
      ),
    ]),
    history: createMemoryHistory({ initialEntries: [address] }),
    context: { config: { auditLog: true } } as never,
  });
  const person = { issuer: "https://id.example", subject: "ada", expiresAt: 0 };
  const session = { person, subscribe: () => () => undefined } as unknown as Session;
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  client.setQueryData(["oddGadgets", "get", GADGET], { uid: GADGET, name: "lathe" });
  client.setQueryData(["gadgetParts", "get", PART], { uid: PART, name: "spindle" });
  await act(() => router.load());
  render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <SessionContext value={session}>
        <QueryClientProvider client={client}>
          <RouterProvider router={router as never} />
        </QueryClientProvider>
      </SessionContext>
    </MantineProvider>,
  );
}

const hrefOf = (link: HTMLElement): string | null => link.getAttribute("href");

it("puts a kind that is added to the registry into the navigation and the breadcrumbs", async () => {
  await show(`/gadget-parts/${uidToParam(PART)}`);
  const navigation = screen.getByRole("navigation", { name: "Main" });
  expect(within(navigation).getByRole("link", { name: "Audit log" })).toBeTruthy();
  expect(within(navigation).getByRole("heading", { name: "Workshop" })).toBeTruthy();
  expect(hrefOf(within(navigation).getByRole("link", { name: "Odd gadgets" }))).toBe("/odd-gadgets");
  expect(within(navigation).getByRole("link", { name: "Parts" }).getAttribute("aria-current")).not.toBeNull();
  expect(within(navigation).queryByRole("link", { name: "Leftovers" })).toBeNull();

  const crumbs = await screen.findByRole("navigation", { name: "Breadcrumb" });
  expect([...crumbs.querySelectorAll("bdi")].map(({ textContent }) => textContent)).toEqual([
    // The organization is in the header.
    "Odd gadgets",
    "lathe",
    "spindle",
  ]);
  expect(hrefOf(within(crumbs).getByRole("link", { name: "lathe" }))).toContain("/gadget-parts?odd");
});

it("counts it, and names it with links where it blocks a deletion or is deleted too", async () => {
  await show("/");
  const counts = screen.getByLabelText("Including subfolders");
  const link = await within(counts).findByRole("link", { name: "3 odd gadgets" });
  expect(hrefOf(link)).toContain("/odd-gadgets?group=");
  expect(within(counts).queryByRole("link", { name: /parts/ })).toBeNull();

  const confirm = await screen.findByRole("dialog");
  const blocking = await within(confirm).findByRole("link", { name: "3 odd gadgets" });
  expect(hrefOf(blocking)).toContain("reach=here");
  expect(within(confirm).getByText("2 leftovers").closest("a")).toBeNull();
  expect(within(confirm).getByText("Deleted with the organization:")).toBeTruthy();
});

it("says what a caller may do with it, and refuses a deletion because of it", async () => {
  const { ACCESS_ROWS } = await import("../home/access-rows");
  const { refusalOf } = await import("~/domains/organization/groups/refusal");
  const row = ACCESS_ROWS.find(({ label }) => label === "Odd gadgets");
  expect(Object.keys(row?.methods ?? {})).toEqual(["list"]);
  const refusal = refusalOf({ ...COUNTS, groups: 0 }, { preconditions: [] }, () => undefined);
  expect(refusal.blockers).toEqual([{ label: "odd gadgets", count: 3, link: undefined }]);
});
