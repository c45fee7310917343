import type { Repo } from "platform-contract/registry/repos";

type Overlay = NonNullable<Repo["customOverlay"]>;
type Users = NonNullable<NonNullable<Overlay["accounts"]>["users"]>;
type Groups = NonNullable<NonNullable<Overlay["accounts"]>["groups"]>;
type Documents = readonly { readonly name?: string; readonly content?: string }[];

/** A row of the form. `other`: members that only a newer service knows. Numbers are strings while being edited. */
interface Row {
  readonly other: Readonly<Record<string, unknown>>;
}

export interface DocumentRow extends Row {
  name: string;
  content: string;
}

export interface UserRow extends Row {
  username: string;
  uid: string;
  gid: string;
  groupName: string;
  shell: string;
  homeDir: string;
}

export interface GroupRow extends Row {
  groupname: string;
  gid: string;
  members: string[];
}

export interface OverlayValues {
  contents: { packages: string[]; runtimeRepositories: string[]; runtimeKeyring: DocumentRow[] };
  environment: Record<string, string>;
  annotations: Record<string, string>;
  accounts: { runAs: string; users: UserRow[]; groups: GroupRow[] };
  certificates: { additional: DocumentRow[]; providers: string[] };
}

export const BLANK_DOCUMENT: DocumentRow = { name: "", content: "", other: {} };
export const BLANK_USER: UserRow = {
  username: "",
  uid: "",
  gid: "",
  groupName: "",
  shell: "",
  homeDir: "",
  other: {},
};
export const BLANK_GROUP: GroupRow = { groupname: "", gid: "", members: [], other: {} };

const digits = (id: number | undefined): string => id?.toString() ?? "";

const documentRows = (documents: Documents = []): DocumentRow[] =>
  documents.map(({ name = "", content = "", ...other }) => ({ name, content, other }));

const userRows = (users: Users = []): UserRow[] =>
  users.map(({ username = "", uid, gid, groupName = "", shell = "", homeDir = "", ...other }) => ({
    username,
    uid: digits(uid),
    gid: digits(gid),
    groupName,
    shell,
    homeDir,
    other,
  }));

const groupRows = (groups: Groups = []): GroupRow[] =>
  groups.map(({ groupname = "", gid, members = [], ...other }) => ({
    groupname,
    gid: digits(gid),
    members: [...members],
    other,
  }));

/** Returns the form's values for a stored overlay, or for none. */
export function fromOverlay(overlay: Overlay = {}): OverlayValues {
  const { contents = {}, environment = {}, annotations = {}, accounts = {}, certificates = {} } = overlay;
  return {
    contents: {
      packages: [...(contents.packages ?? [])],
      runtimeRepositories: [...(contents.runtimeRepositories ?? [])],
      runtimeKeyring: documentRows(contents.runtimeKeyring),
    },
    environment: { ...environment },
    annotations: { ...annotations },
    accounts: {
      runAs: accounts.runAs ?? "",
      users: userRows(accounts.users),
      groups: groupRows(accounts.groups),
    },
    certificates: {
      additional: documentRows(certificates.additional),
      providers: [...(certificates.providers ?? [])],
    },
  };
}

/** Parses an integer. Returns other text as is, for validation to reject. */
const numeric = (text: string): number | string => (/^\s*-?\d+\s*$/.test(text) ? Number(text) : text);

const plain = <R extends Row>({ other, ...row }: R) => ({ ...other, ...row });

/** Converts the overlay to the API's format, still including empty values. */
export function overlayOf({ contents, accounts, certificates, ...maps }: OverlayValues): object {
  const { runAs, users, groups } = accounts;
  return {
    ...maps,
    contents: { ...contents, runtimeKeyring: contents.runtimeKeyring.map(plain) },
    accounts: {
      runAs,
      users: users.map((user) => ({ ...plain(user), uid: numeric(user.uid), gid: numeric(user.gid) })),
      groups: groups.map((group) => ({ ...plain(group), gid: numeric(group.gid) })),
    },
    certificates: { ...certificates, additional: certificates.additional.map(plain) },
  };
}
