import type { Locator } from "@playwright/test";

import { askFirst } from "./deletions";
import { expect, type Faulty } from "./faulty";

/** A write as a user makes it on a list screen, and its effect on the service. */
export interface Write {
  readonly verb: "create" | "update" | "delete";
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly path: RegExp;
  /** Opens the dialog and fills it in; returns the dialog and its submit button. */
  begin(): Promise<{ readonly dialog: Locator; readonly submit: Locator }>;
  /** How often the write has taken effect, according to the service. */
  effects(): Promise<number>;
  /** Asserts that the list shows the result. */
  shown(): Promise<void>;
}

export interface Subject {
  create(): Write;
  rename(to: string): Write;
  delete(): Write;
  /** Its current name, after the writes made so far. */
  readonly name: string;
  /** Uids of records with this name directly in the organization. */
  uids(name: string): Promise<string[]>;
}

export interface Kind {
  readonly noun: string;
  readonly area: "iam" | "registry";
  readonly collection: string;
  /** Path of the list, if it differs from the collection. */
  readonly path?: string;
  readonly table: string;
  /** True if deleting an empty record requires typing its name. */
  readonly typesName: boolean;
  /** Text of the delete dialog once dependents are counted; omitted if the name has to be typed. */
  readonly counted?: string;
  /** True if it has no parent. */
  readonly topmost?: true;
  fill(dialog: Locator, name: string): Promise<void>;
}

const nameIn = (dialog: Locator) => dialog.getByRole("textbox", { name: "Name", exact: true });

export const folder: Kind = {
  noun: "folder",
  area: "iam",
  collection: "groups",
  table: "Groups",
  typesName: true,
  fill: (dialog, name) => nameIn(dialog).fill(name),
};

export const organization: Kind = { ...folder, noun: "organization", topmost: true };

export const identity: Kind = {
  noun: "identity",
  area: "iam",
  collection: "identities",
  table: "Identities",
  typesName: false,
  counted: "It has no roles",
  async fill(dialog, name) {
    await dialog.getByRole("radio", { name: /OIDC claims/ }).check();
    await nameIn(dialog).fill(name);
    await dialog.getByRole("textbox", { name: "Issuer", exact: true }).fill("https://issuer.example");
    await dialog.getByRole("textbox", { name: "Subject", exact: true }).fill(name);
  },
};

export const role: Kind = {
  noun: "role",
  area: "iam",
  collection: "roles",
  table: "Roles",
  typesName: false,
  counted: "No one has this role.",
  async fill(dialog, name) {
    await nameIn(dialog).fill(name);
    await dialog.getByRole("checkbox", { name: "All of Policies" }).click();
  },
};

export const repo: Kind = {
  noun: "repo",
  area: "registry",
  collection: "repos",
  table: "Repos",
  typesName: true,
  fill: (dialog, name) => nameIn(dialog).fill(name),
};

export const provider: Kind = {
  noun: "identity provider",
  area: "iam",
  collection: "identityProviders",
  path: "identity-providers",
  table: "Identity providers",
  typesName: true,
  async fill(dialog, name) {
    await nameIn(dialog).fill(name);
    await dialog.getByLabel("Issuer").fill("https://idp.example");
    await dialog.getByLabel("Client ID").fill("platform");
    await dialog.getByLabel("The client has no secret").check();
    await dialog.getByLabel("Default role").selectOption({ label: "viewer (built-in)" });
  },
};

export const association: Kind = {
  noun: "account association",
  area: "iam",
  collection: "accountAssociations",
  path: "account-associations",
  table: "Account associations",
  typesName: false,
  counted: "Platform services lose access to these accounts",
  fill: (dialog, name) => nameIn(dialog).fill(name),
};

export const terms: Kind = {
  noun: "terms document",
  area: "iam",
  collection: "terms",
  table: "Terms",
  typesName: false,
  counted: "No one has to accept this document anymore",
  async fill(dialog, name) {
    await nameIn(dialog).fill(name);
    await dialog.getByRole("textbox", { name: "Title" }).fill("Terms of Service");
    await dialog.getByRole("textbox", { name: "Link" }).fill("https://example.com/terms");
  },
};

/** Opens the list for the writes of a kind. */
export async function openList({ page, open, organization: own }: Faulty, kind: Kind) {
  const { collection, path = collection, table, topmost } = kind;
  await open(topmost ? path : `${path}?group=${own.uid}`);
  await expect(
    page
      .getByRole("table", { name: table })
      .or(page.getByRole("heading", { level: 2 }))
      .first(),
  ).toBeVisible();
}

/** One record on the list of its kind, in the person's organization or, if topmost, a new organization. */
export function subjectOf({ page, api, organization: own }: Faulty, kind: Kind, firstName: string): Subject {
  const { noun, area, collection, table, typesName, counted = "", topmost, fill } = kind;
  const root = `/${area}/v2/${collection}`;
  let name = firstName;
  const path = new RegExp(`^${root}(/|$)`);
  const dialogOf = (title: string | RegExp) => page.getByRole("dialog", { name: title });
  const link = (text: string) =>
    page.getByRole("table", { name: table }).getByRole("link", { name: text, exact: true });

  const matching = async (text: string) => {
    const query = new URLSearchParams({
      ...(topmost ? { "uidp.in_root": "true" } : { "uidp.children_of": own.uid }),
      name: text,
      page_size: "200",
    });
    const answer = await api.get<Record<string, { uid: string }[]>>(`${root}?${query}`);
    return answer[collection] ?? [];
  };
  const uids = async (text: string) => (await matching(text)).map(({ uid }) => uid);
  const choose = async (action: string) => {
    await page.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };

  return {
    get name() {
      return name;
    },
    uids,
    create: () => ({
      verb: "create",
      method: "POST",
      path,
      async begin() {
        await page
          .getByRole("button", { name: `Create ${noun}` })
          .first()
          .click();
        const dialog = dialogOf(`Create ${noun}`);
        await fill(dialog, name);
        return { dialog, submit: dialog.getByRole("button", { name: `Create ${noun}` }) };
      },
      effects: async () => (await uids(name)).length,
      shown: () => expect(link(name)).toBeVisible(),
    }),
    rename: (to) => ({
      verb: "update",
      method: "PATCH",
      path,
      async begin() {
        await choose("Edit");
        const dialog = dialogOf(`Edit ${noun}`);
        await nameIn(dialog).fill(to);
        name = to;
        return { dialog, submit: dialog.getByRole("button", { name: "Save changes" }) };
      },
      effects: async () => (await uids(to)).length,
      shown: () => expect(link(to)).toBeVisible(),
    }),
    delete: () => ({
      verb: "delete",
      method: "DELETE",
      path,
      async begin() {
        await askFirst(page, api);
        await choose("Delete");
        const dialog = dialogOf(`Delete ${noun} ${name}?`);
        if (typesName) await dialog.getByLabel(/Type the name/).fill(name);
        else await expect(dialog.getByText(counted)).toBeVisible();
        return { dialog, submit: dialog.getByRole("button", { name: `Delete ${noun}` }) };
      },
      effects: async () => ((await uids(name)).length === 0 ? 1 : 0),
      shown: () => expect(link(name)).toBeHidden(),
    }),
  };
}

/** The screen's claim about a write. */
export interface Claim {
  readonly saved: boolean;
  /** The alert's text, if there is one. */
  readonly text: string;
}

/**
 * Waits until the screen makes a claim: the dialog closes or shows an alert. Advances the page's clock through the
 * console's waits and retries (needs `page.clock.install()`).
 */
export async function claimOf(dialog: Locator): Promise<Claim> {
  const alert = dialog.getByRole("alert");
  let claim: Claim | undefined;
  await expect(async () => {
    if (await dialog.isHidden()) claim = { saved: true, text: "" };
    else if (await alert.isVisible()) claim = { saved: false, text: await alert.innerText({ timeout: 500 }) };
    else await dialog.page().clock.fastForward(2_000);
    expect(claim, "neither closed nor an alert").toBeDefined();
  }).toPass({ intervals: [50], timeout: 15_000 });
  return claim as Claim;
}

/** Presses again until the dialog closes, as a user who reads its alert would; advances the clock as in `claimOf`. */
export async function pressAgain(dialog: Locator, submit: Locator, what: string): Promise<void> {
  const { clock } = dialog.page();
  await expect(async () => {
    await clock.fastForward(1_000);
    if (await dialog.isVisible()) await submit.click({ timeout: 1_000 });
    await clock.fastForward(500);
    await expect(dialog).toBeHidden({ timeout: 1_000 });
  }, what).toPass({ intervals: [50] });
}

/** Wording that leaves open whether the write took effect. */
export const UNKNOWN =
  /may (already )?have|could not be found out|couldn't confirm|not known|unknown|all the same/i;
