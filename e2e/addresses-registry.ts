import { expect } from "@playwright/test";

import { row, type Addresses, type Registry } from "./addresses";
import { param } from "./records";
import { digestOf } from "./tags";

/** The repo's name can load after its tags; the screen has not settled until the name is there. */
const named = { heading: "image-020", breadcrumb: expect.stringContaining("image-020") };

const tags: Addresses<Registry> = ({ organization, team, repo, tag }) => {
  const all = `tags?repo=${param(repo)}`;
  const shown: ReturnType<Addresses<Registry>> = [
    [all, { table: "Tags", tab: "Tags", sorted: ["Updated descending"] }],
    [`tags?group=${param(organization)}&order=name`, { heading: "Tags", row: row(1, "1.0") }],
    [
      `tags?group=${param(organization)}&reach=here`,
      { heading: "Tags", filters: ["This group only"], sorted: [] },
    ],
    [`tags?group=${param(team)}&deprecated=yes&order=name`, { row: row(1, "1.0"), scope: "team" }],
    [`${all}&order=name`, { row: row(1, "1.0"), sorted: ["Name ascending"] }],
    [`${all}&order=name&at=50`, { row: row(51, "1.50") }],
    [`${all}&order=name+desc&epochs=yes`, { row: row(1, "1.99-r1") }],
    [`${all}&name=1.7-r1`, { row: row(1, "1.7-r1"), filters: ["1.7-r1"] }],
    [`${all}&digest=${digestOf(2)}&order=name`, { row: row(1, "1.10") }],
    [`${all}&contains=.11&order=name`, { row: row(1, "1.110"), filters: [".11"] }],
    [`${all}&order=version+desc`, { row: row(1, "1.118"), filters: ["Newest version first"] }],
    [`${all}&order=version&at=40`, { row: row(41, "1.53") }],
    [`${all}&deprecated=yes&order=version`, { row: row(1, "1.0"), filters: ["yes", "Oldest version first"] }],
    [`${all}&deprecated=no&order=name&at=20`, { filters: ["no"] }],
    [`${all}&since=2020-01-01&order=name`, { row: row(1, "1.0"), filters: ["Updated since: 2020-01-01"] }],
    [`${all}&by=digest&order=version`, { row: row(1, "sha256:000000000000") }],
    [`${all}&drawer=create`, { dialog: "Create tag" }],
    [`${all}&drawer=create&item=${param(tag)}`, { dialog: "Move tag" }],
    [`${all}&drawer=delete&item=${param(tag)}`, { dialog: "Delete tag 1.7-r1?" }],
    [`${all}&drawer=pull&item=${param(tag)}`, { dialog: "Pull 1.7-r1" }],
    [`tags/${param(tag)}`, { heading: "image-020:1.7-r1", breadcrumb: expect.stringContaining("image-020") }],
    [`tags/${param(tag)}?tab=vulnerabilities`, { heading: "image-020:1.7-r1", tab: "Vulnerabilities" }],
    [`reports?images=${param(repo)}*1.7-r1&days=30`, { heading: "Resolved vulnerabilities" }],
    [`tags/${param(tag)}?drawer=create`, { heading: "image-020:1.7-r1", dialog: "Move tag" }],
    [`tags/compare?a=${param(tag)}&b=${param(tag)}`, { heading: "Compare two tags" }],
  ];
  return shown.map(([path, what]) => [path, path.startsWith(all) ? { ...named, ...what } : what]);
};

const repos: Addresses<Registry> = ({ organization, team, image }) => {
  const all = `repos?group=${param(organization)}`;
  const shown = { heading: "Repos", table: "Repos" };
  return [
    [all, { ...shown, row: row(1, "image-000"), sorted: ["Name ascending"] }],
    [`${all}&order=name+desc`, { row: row(1, "image-059"), sorted: ["Name descending"] }],
    [`${all}&order=updated_at+desc`, { sorted: ["Updated descending"] }],
    [`${all}&reach=here&at=3`, { row: row(4, "image-003"), filters: ["This group only"] }],
    [`${all}&name=image-033`, { row: row(1, "image-033"), filters: ["image-033"] }],
    [`${all}&tier=base&order=name+desc`, { row: row(1, "image-057"), filters: ["base"] }],
    [`${all}&contains=E-04`, { row: row(1, "image-040"), filters: ["E-04"] }],
    [`${all}&at=40`, { row: row(41, "image-040") }],
    [`repos?group=${param(team)}`, { row: row(1, "image-020"), scope: "team" }],
    [`${all}&drawer=create`, { ...shown, dialog: "Create repo" }],
    [`${all}&drawer=edit&item=${param(image)}`, { ...shown, dialog: "Edit repo" }],
    [`repos/${param(image)}`, { heading: "image-000", tab: "Overview" }],
    [`repos/${param(image)}?drawer=readme`, { heading: "image-000", dialog: "Edit readme of image-000" }],
    [`repos/${param(image)}?drawer=delete`, { heading: "image-000", dialog: "Delete repo image-000?" }],
  ];
};

export const registry: Addresses<Registry> = (world) => [...repos(world), ...tags(world)];
