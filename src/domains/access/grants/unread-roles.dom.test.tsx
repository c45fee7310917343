import { cleanup, screen } from "@testing-library/react";
import { StrictMode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { renderInApp, stubBrowser } from "~/ui/testing/render";

import { UnreadRoles } from "./unread-roles";

beforeEach(stubBrowser);
afterEach(cleanup);

const missing = "They aren't listed.";
const show = (choice: Parameters<typeof UnreadRoles>[0]["choice"]) =>
  renderInApp(
    <StrictMode>
      <UnreadRoles choice={choice} missing={missing} />
    </StrictMode>,
  );

it("says that the user's role hides roles, and doesn't call that a failure", async () => {
  await show({ error: null, retry: () => undefined, more: false });
  expect(screen.getByText(`Some have a role that you can't see. ${missing}`)).toBeDefined();
  expect(screen.queryByRole("button")).toBeNull();
});

it("says that there are more roles than were read", async () => {
  await show({ error: null, retry: () => undefined, more: true });
  expect(screen.getByText(/^Only the first custom roles/)).toBeDefined();
});

it("offers to try again what failed", async () => {
  const retry = vi.fn();
  await show({ error: new Error("out of order"), retry, more: false });
  expect(screen.getByText("Some roles couldn't be read")).toBeDefined();
  screen.getByRole("button", { name: "Try again" }).click();
  expect(retry).toHaveBeenCalledOnce();
});
