import { expect, type Page } from "@playwright/test";

import type { Group } from "platform-contract/iam/groups";
import type { Identity } from "platform-contract/iam/identities";
import type { Role } from "platform-contract/iam/roles";
import type { Repo } from "platform-contract/registry/repos";
import type { Tag } from "platform-contract/registry/tags";

import type { Api } from "./api";
import { folder } from "./records";
import { createTags, digestOf } from "./tags";

/** The records that the addresses of groups, identities, and roles refer to; names say where each one is. */
export interface World {
  readonly organization: Group;
  readonly team: Group;
  readonly deepest: Group;
  readonly first: Identity;
  readonly role: Role;
}

/** The records that the addresses of repos and tags refer to. */
export interface Registry {
  readonly organization: Group;
  readonly team: Group;
  readonly image: Repo;
  readonly repo: Repo;
  readonly tag: Tag;
}

const pad = (index: number): string => String(index).padStart(3, "0");

/** Creates an organization with 120 machines, most of them in one folder, and a folder twelve levels down. */
export async function makeWorld(api: Api, organization: Group): Promise<World> {
  const team = await folder(api, organization, "team");
  const machines = Array.from({ length: 120 }, (_, index) =>
    api.post<Identity>(`/iam/v2/identities/${index < 20 ? organization.uid : team.uid}`, {
      name: `ci-${pad(index)}`,
      ...(index % 3 === 0
        ? { awsIdentity: { awsAccount: "123456789012", arn: `arn:aws:iam::${index}`, userId: `${index}` } }
        : { claimMatch: { issuer: "https://issuer.example", subject: `ci-${index}` } }),
    }),
  );
  let deepest = team;
  for (let level = 3; level <= 12; level += 1) deepest = await folder(api, deepest, `level-${level}`);
  for (const name of ["alpha", "beta", "gamma"]) await folder(api, organization, name);
  const [first] = await Promise.all(machines);
  const role = await api.post<Role>(`/iam/v2/roles/${organization.uid}`, {
    name: "keeper",
    capabilities: ["CAP_TAG_LIST", "CAP_TAG_DELETE"],
  });
  return { organization, team, deepest, first: first as Identity, role };
}

/** Creates an organization with 60 repos, most of them in one folder, and 120 tags in one of those. */
export async function makeRegistry(api: Api, organization: Group): Promise<Registry> {
  const team = await folder(api, organization, "team");
  const images = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      api.post<Repo>(`/registry/v2/repos/${index < 20 ? organization.uid : team.uid}`, {
        name: `image-${pad(index)}`,
        catalogTier: index % 3 === 0 ? "CATALOG_TIER_BASE" : "CATALOG_TIER_AI",
      }),
    ),
  );
  const [image, repo] = [images[0] as Repo, images[20] as Repo];
  const versions = await createTags(
    api,
    repo.uid,
    Array.from({ length: 120 }, (_, index) => ({
      name: `1.${index}${index % 4 === 3 ? "-r1" : ""}`,
      digest: digestOf(index % 4),
      deprecated: index % 10 === 0,
    })),
  );
  return { organization, team, image, repo, tag: versions[7] as Tag };
}

/** Everything on screen that the address determines. */
export const seen = (page: Page) =>
  page.evaluate(() => {
    const text = (selector: string) => document.querySelector(selector)?.textContent;
    const table = document.querySelector<HTMLElement>("[role=table]");
    const below = table?.querySelector("[role=rowgroup]")?.getBoundingClientRect().bottom ?? 0;
    const rows = [...(table?.querySelectorAll("[data-row-key]") ?? [])];
    const inView = rows.filter((row) => row.getBoundingClientRect().top >= below - 1);
    const top = inView.toSorted(
      (one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top,
    )[0];
    const dialog = document.querySelector("[role=dialog], dialog[open]");
    return {
      // True while the list loads, or shows rows of the previous view.
      stale: document.querySelector("[data-stale], [role=table][aria-busy=true]") !== null,
      heading: text("h1"),
      breadcrumb: text("[aria-label=Breadcrumb]"),
      table: table?.ariaLabel,
      row: top && [top.ariaRowIndex, top.querySelector("a")?.textContent],
      sorted: [...document.querySelectorAll("[aria-sort]:not([aria-sort=none])")].map(
        (header) => `${header.textContent} ${header.ariaSort}`,
      ),
      filters: [
        ...[...document.querySelectorAll<HTMLInputElement>("[role=search] :is(input, select)")].map(
          (input) => input.value,
        ),
        ...[...document.querySelectorAll("[role=search] [data-chip]")].map((chip) => chip.textContent),
      ].filter(Boolean),
      tab: text("main nav:not([aria-label=Breadcrumb]) [aria-current=page]"),
      dialog: dialog && document.getElementById(dialog.getAttribute("aria-labelledby") ?? "")?.textContent,
      scope: text("[role=treeitem][aria-selected=true]"),
    };
  });

export type Seen = Awaited<ReturnType<typeof seen>>;

/** Waits until the screen matches `what` and no longer changes; returns what it shows. */
export async function settled(page: Page, what: Shown, when: string): Promise<Seen> {
  let last = "";
  await expect
    .poll(
      async () => {
        const now = await seen(page).catch(() => undefined);
        const same = now?.stale === false && JSON.stringify(now) === last;
        last = JSON.stringify(now) ?? "";
        return same ? now : undefined;
      },
      { message: when, intervals: [50], timeout: 30_000 },
    )
    .toMatchObject(what);
  return JSON.parse(last) as Seen;
}

/** The subset that must match, so that two blank pages do not count as equal. */
export type Shown = Partial<Record<keyof Seen, unknown>>;
export type Addresses<W> = (world: W) => readonly (readonly [path: string, what: Shown])[];

/** The first row fully in view, by its number from 1. The header counts as a row. */
export const row = (number: number, name: string) => [String(number + 1), name];
