import { expect, it } from "vitest";

import { familyOf } from "../../domains/registry/tags.table";
import { tagsOf } from "./demo-tags";
import { REPOS } from "./demo-registry-data";

const repos = REPOS.map((repo) => ({ name: repo.name, tags: tagsOf(repo, Date.UTC(2026, 7, 1)) }));
const all = repos.flatMap(({ tags }) => tags);

const share = (tags: typeof all): number => tags.filter(({ deprecated }) => deprecated).length / tags.length;

it("has about a fifth of its tags deprecated: of all, of those that a list shows at first, of large repos", () => {
  const shares = {
    all: share(all),
    plain: share(all.filter(({ name }) => familyOf(name) === "")),
    ...Object.fromEntries(
      repos.filter(({ tags }) => tags.length > 200).map(({ name, tags }) => [name, share(tags)]),
    ),
  };
  expect(Object.keys(shares).length).toBeGreaterThan(6);
  expect(Object.entries(shares).filter(([, part]) => part < 0.15 || part > 0.25)).toEqual([]);
});

it("has names that stay, dated ones and builds", () => {
  expect(new Set(all.map(({ name }) => familyOf(name)))).toEqual(new Set(["", "dated", "epoch"]));
});
