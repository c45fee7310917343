import { render, screen } from "@testing-library/react";
import type { LucideIcon } from "lucide-react";
import { expect, test, vi } from "vitest";

import type { Entry } from "./entries";
import { Options } from "./palette-options";

const icon = (drawn: () => void): LucideIcon =>
  (() => {
    drawn();
    return null;
  }) as unknown as LucideIcon;

test("an option that stays as it is is not drawn again", () => {
  const drawn = { groups: vi.fn(), roles: vi.fn(), repos: vi.fn() };
  const entryOf = (label: keyof typeof drawn): Entry => ({
    id: label,
    label,
    icon: icon(drawn[label]),
    link: { to: `/${label}` },
  });
  const [groups, roles, repos] = [entryOf("groups"), entryOf("roles"), entryOf("repos")];
  const onPoint = vi.fn();
  const onChoose = vi.fn();
  const options = (entries: readonly Entry[], active: Entry) => (
    <Options
      heading="Go to"
      entries={entries}
      active={active}
      optionId={({ id }) => `option ${id}`}
      onPoint={onPoint}
      onChoose={onChoose}
    />
  );
  const { rerender } = render(options([groups, roles, repos], groups), { reactStrictMode: false });
  rerender(options([repos, roles], roles));
  expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual(["repos", "roles"]);
  expect(screen.getByRole("option", { selected: true }).textContent).toBe("roles");
  expect(drawn.roles).toHaveBeenCalledTimes(2);
  expect(drawn.repos).toHaveBeenCalledTimes(1);
});
