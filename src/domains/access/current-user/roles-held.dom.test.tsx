import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";

import { RolesHeld } from "./roles-held";

vi.mock("~/ui/layout/link", () => ({
  AppLink: ({ target, children }: { target: { to: string }; children: unknown }) => (
    <a href={target.to}>{children as string}</a>
  ),
}));

afterEach(cleanup);

const ROOT = "a".repeat(40);
const FOLDER = `${ROOT}/${"1".repeat(16)}`;
const binding = (group: string, name?: string) => ({
  uid: `${group}/${"9".repeat(16)}`,
  identityUid: "c".repeat(40),
  roleUid: "d".repeat(40),
  ...(name !== undefined && { role: { uid: "d".repeat(40), name }, group: { uid: group, name: "Acme" } }),
});

it("says which role is held where, with a link to the group", () => {
  const role = { uid: "d".repeat(40), name: "owner", description: "Everything", capabilities: ["A", "B"] };
  render(<RolesHeld bindings={[binding(ROOT, "owner")]} roles={[role]} linkTo={(to) => ({ to })} />);
  expect(screen.getByRole("listitem").textContent).toBe("owneratAcmeEverything \u00b7 2 capabilities");
  expect(screen.getByRole("link", { name: "Acme" }).getAttribute("href")).toBe(ROOT);
});

it("tells what comes from above from what is held at the group itself", () => {
  const bindings = [binding(ROOT, "owner"), binding(FOLDER, "viewer")];
  render(<RolesHeld bindings={bindings} roles={[]} linkTo={(to) => ({ to })} at={FOLDER} />);
  const lines = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(lines).toEqual(["ownerfromAcme", "vieweratAcme"]);
});

it("shows uids if names are missing", () => {
  render(<RolesHeld bindings={[binding(ROOT)]} roles={[]} linkTo={(to) => ({ to })} />);
  expect(screen.getByRole("listitem").textContent).toBe("dddddddd\u2026ddddddddataaaaaaaa\u2026aaaaaaaa");
});
