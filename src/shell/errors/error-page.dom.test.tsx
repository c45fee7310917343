import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  notFound,
  RouterProvider,
} from "@tanstack/react-router";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { ApiError } from "platform-client/errors";

import { UNKNOWN, currentUserQuery, type CurrentUserState } from "~/frame/permissions/read-current-user";
import type { Person, Session } from "~/auth/session";
import { SessionContext } from "~/auth/use-session";

import { ErrorPage, NotFoundPage } from "./error-page";
import { Screen } from "~/shell/screen";

const uid = "a".repeat(40);
const person: Person = { issuer: "https://id.example", subject: "ada", expiresAt: 0 };

beforeEach(() => {
  vi.stubGlobal("scrollTo", () => undefined);
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  // React and the router log the errors they catch.
  vi.spyOn(console, "error").mockReturnValue();
  vi.spyOn(console, "warn").mockReturnValue();
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A screen whose loader or render fails, inside a layout that stays. */
function show(
  load: () => void,
  path = `/groups/${uid}`,
  draw: () => void = () => undefined,
  who: CurrentUserState = UNKNOWN,
) {
  const root = createRootRoute({
    component: () => (
      <>
        <nav>Navigation</nav>
        <Screen />
      </>
    ),
    notFoundComponent: NotFoundPage,
  });
  const screens = [
    createRoute({ getParentRoute: () => root, path: "/", component: () => <h1>Overview</h1> }),
    createRoute({
      getParentRoute: () => root,
      path: "/groups/$uid",
      loader: load,
      component: function Group() {
        draw();
        return <h1>Group</h1>;
      },
      errorComponent: ErrorPage,
    }),
  ];
  const router = createRouter({
    routeTree: root.addChildren(screens),
    history: createMemoryHistory({ initialEntries: [path] }),
  });
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(currentUserQuery(person).queryKey, who);
  return render(
    <MantineProvider env="test">
      <SessionContext value={{ person, subscribe: () => () => undefined } as unknown as Session}>
        <QueryClientProvider client={client}>
          <RouterProvider router={router as never} />
        </QueryClientProvider>
      </SessionContext>
    </MantineProvider>,
  );
}

const fails = (error: unknown) => () => {
  throw error;
};
const refusal = (http: number, code: number, metadata = {}) =>
  new ApiError("refused", "The service's own words", {
    http,
    requestId: "request-7",
    status: {
      code,
      message: "The service's own words",
      details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "R", domain: "d", metadata }],
    },
  });

it("says what was not found, and keeps everything around it", async () => {
  show(fails(refusal(404, 5)));
  expect(await screen.findByRole("heading", { level: 1, name: "This group wasn't found" })).toBeTruthy();
  expect(screen.getByText(uid)).toBeTruthy();
  expect(screen.getByText("Navigation")).toBeTruthy();
});

it("names the capability that is missing", async () => {
  show(fails(refusal(403, 7, { capability: "CAP_IAM_GROUPS_LIST" })));
  expect(await screen.findByRole("heading", { level: 1, name: "Hidden by your role" })).toBeTruthy();
  expect(screen.getByText("You need permission to view groups (groups.list).")).toBeTruthy();
});

it("tells somebody whom nobody has bound that they have no access yet, not which capability is missing", async () => {
  const refused = fails(refusal(403, 7, { capability: "CAP_IAM_GROUPS_LIST" }));
  show(refused, undefined, undefined, { ...UNKNOWN, state: "nobody" });
  expect(await screen.findByRole("heading", { level: 1, name: "No access yet" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "How to get access" })).toBeTruthy();
  expect(screen.queryByText(/groups\.list/)).toBeNull();
});

it("tries again when the service could not be reached", async () => {
  const load = vi.fn<() => void>(fails(new ApiError("unreachable", "api.example cannot be reached.")));
  show(load);
  await screen.findByRole("heading", { level: 1, name: "Can't reach the service" });
  load.mockImplementation(() => undefined);
  await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.getByRole("heading", { name: "Group" })).toBeTruthy());
});

it("shows the request id of an unexpected error", async () => {
  show(fails(refusal(500, 13)));
  await screen.findByRole("heading", { level: 1, name: "This page couldn't be displayed" });
  expect(screen.getByText("The service's own words")).toBeTruthy();
  expect(screen.getByText("request-7")).toBeTruthy();
});

it("shows the console's own failures as such", async () => {
  show(fails(new Error("undefined is not a function")));
  await screen.findByText(/Something went wrong in the console/);
  expect(screen.getByText(/undefined is not a function/)).toBeTruthy();
});

it.each([
  ["its loader", fails(notFound()), undefined],
  ["the screen itself", () => undefined, fails(notFound())],
])("knows an address that holds no uid, found out by %s", async (_by, load, draw) => {
  show(load, "/groups/xyz", draw);
  expect(await screen.findByRole("heading", { level: 1, name: "This page wasn't found" })).toBeTruthy();
  expect(screen.getByText("Navigation")).toBeTruthy();
});

it("knows an address that is no screen", async () => {
  show(() => undefined, "/nowhere");
  expect(await screen.findByText("This page wasn't found")).toBeTruthy();
});
