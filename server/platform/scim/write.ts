import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

import { asText, EMAIL_LENGTH } from "../oidc/upstream-claims";
import { endSessions } from "../oidc/sessions";
import type { Queries } from "../store/database";
import { accountOfPushed, deactivateAccount, followPushed } from "../store/scim/accounts";
import {
  accountsOf,
  countStored,
  removeStored,
  storeGroup,
  storeMembers,
  storeUser,
  unknownUsers,
  type StoredGroup,
  type StoredUser,
} from "../store/scim/directory";
import { invalidValue, ScimError } from "./error";
import { GROUPS, USERS } from "./schemas";
import { complexValues, isFields, requireAttributes, type ScimFields } from "./values";

/** The directory of one identity provider, within a transaction that no other write of it overlaps. */
export interface Directory {
  readonly queries: Queries;
  /** The issuer of this service, whose people the accounts are. */
  readonly issuer: string;
  readonly provider: { readonly uid: string; readonly issuer: string; readonly bySubject: boolean };
}

const taken = (what: string): ScimError =>
  new ScimError(409, `${what} is taken by another one`, "uniqueness");

/** As of every other record. */
const USER_BYTES = 256_000;

/** Users and groups that the directory of one identity provider can have. */
const MOST = { users: 20_000, groups: 2_000 } as const;

/** Throws a ScimError if a directory is full. No other write of it overlaps, so the count holds. */
async function requireRoom({ queries, provider }: Directory, kind: keyof typeof MOST): Promise<void> {
  const count = await countStored(queries, kind, { provider: provider.uid });
  if (count < MOST[kind]) return;
  throw new ScimError(403, `this identity provider has ${MOST[kind]} ${kind}, the most that it can have`);
}

const textAt = (fields: unknown, key: string): string => asText(isFields(fields) ? fields[key] : undefined);

function emailOf({ emails, userName }: ScimFields): string {
  const list = complexValues(emails);
  const email = textAt(list.find(({ primary }) => primary === true) ?? list[0], "value");
  const found = email || (String(userName).includes("@") ? asText(userName) : "");
  return found.length > EMAIL_LENGTH ? "" : found;
}

function nameOf({ displayName, name, userName }: ScimFields): string {
  const parts = [textAt(name, "givenName"), textAt(name, "familyName")].filter(Boolean).join(" ");
  return asText(displayName) || textAt(name, "formatted") || parts || asText(userName);
}

/** Ends what an account can do by way of the directory: its sessions, and with `followPushed` its mapped roles. */
async function shutOut({ queries }: Directory, account: string): Promise<void> {
  await deactivateAccount(queries, account);
  await endSessions(queries, account);
}

/**
 * Stores a user, new if there was none before, and lets their account follow: who is not active has no sessions and no
 * mapped roles. A user without an external id is nobody who could sign in. Throws a ScimError.
 * @returns the user's id and account
 */
export async function saveUser(
  directory: Directory,
  before: StoredUser | undefined,
  given: ScimFields,
): Promise<{ id: string; account: string | undefined }> {
  const { queries, issuer, provider } = directory;
  requireAttributes(USERS, given);
  const active = given["active"] !== false;
  const resource = { ...given, active };
  const id = before?.id ?? randomUUID();
  if (before && isDeepStrictEqual(before.resource, resource))
    return { id, account: before.account ?? undefined };
  if (Buffer.byteLength(JSON.stringify(resource)) > USER_BYTES)
    throw invalidValue(`the user must be at most ${USER_BYTES / 1_000} kB in total`);
  if (!before) await requireRoom(directory, "users");
  const { userName, externalId }: { userName: string; externalId?: string } = Object(given);
  const account =
    externalId === undefined
      ? undefined
      : await accountOfPushed(queries, issuer, provider, {
          externalId,
          active,
          email: emailOf(given),
          name: nameOf(given),
        });
  const values = { userName, externalId, active, resource, account };
  if (!(await storeUser(queries, provider.uid, id, values))) throw taken("userName or externalId");
  const former = before?.account !== account ? (before?.account ?? undefined) : undefined;
  if (former !== undefined) await shutOut(directory, former);
  if (account !== undefined && !active) await endSessions(queries, account);
  await followPushed(
    queries,
    issuer,
    provider.uid,
    [account, former].filter((one) => one !== undefined),
  );
  return { id, account };
}

/** Removes a user: they cannot sign in until the directory pushes them again. */
export async function removeUser(directory: Directory, { id, account }: StoredUser): Promise<void> {
  const { queries, issuer, provider } = directory;
  await removeStored(queries, "users", id);
  if (account === null) return;
  await shutOut(directory, account);
  await followPushed(queries, issuer, provider.uid, [account]);
}

const keyOf = (name: string, externalId: string | null | undefined): string => externalId ?? name;

const membersOf = ({ members }: ScimFields): string[] => [
  ...new Set(complexValues(members).map(({ value }) => String(value))),
];

/** Throws a ScimError if one of these ids is no user of the directory. */
export async function requireUsers(
  queries: Queries,
  provider: string,
  ids: readonly string[],
): Promise<void> {
  const [unknown] = ids.length > 0 ? await unknownUsers(queries, provider, ids) : [];
  if (unknown !== undefined) throw invalidValue(`members: no user has the id ${JSON.stringify(unknown)}`);
}

/** Stores a group and its members, whose roles follow. Throws a ScimError. @returns its id and how many members changed */
export async function saveGroup(
  directory: Directory,
  before: StoredGroup | undefined,
  given: ScimFields,
): Promise<{ id: string; changed: number }> {
  const { queries, issuer, provider } = directory;
  requireAttributes(GROUPS, given);
  const { displayName, externalId }: { displayName: string; externalId?: string } = Object(given);
  // As mappings name it.
  const name = displayName.normalize("NFC");
  const id = before?.id ?? randomUUID();
  const members = membersOf(given);
  const isSame = before?.name === name && before.externalId === (externalId ?? null);
  const same = new Set(before?.members);
  if (isSame && members.length === same.size && members.every((one) => same.has(one)))
    return { id, changed: 0 };
  if (!before) await requireRoom(directory, "groups");
  await requireUsers(queries, provider.uid, members);
  if (!(await storeGroup(queries, provider.uid, id, { name, externalId })))
    throw taken("displayName or externalId");
  const changed = await storeMembers(queries, id, members);
  const isMoved = before !== undefined && keyOf(name, externalId) !== keyOf(before.name, before.externalId);
  const affected = isMoved ? [...new Set([...members, ...changed])] : changed;
  await followPushed(queries, issuer, provider.uid, await accountsOf(queries, affected));
  return { id, changed: changed.length };
}

export async function removeGroup(
  { queries, issuer, provider }: Directory,
  group: StoredGroup,
): Promise<void> {
  const accounts = await accountsOf(queries, group.members ?? []);
  await removeStored(queries, "groups", group.id);
  await followPushed(queries, issuer, provider.uid, accounts);
}
