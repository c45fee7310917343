import { parentOf } from "platform-contract/aip";
import type { AuditEntry } from "platform-contract/audit/entries";
import { kindOf as groupKindOf } from "~/frame/scope/group-words";
import { CAPABILITY_NAMES } from "platform-contract/capability";
import { kindOf, everyKind } from "platform-contract/kinds";
import { tierWord } from "~/domains/registry/references/tiers";
import { organizationKind, organizationStatus } from "~/frame/scope/group-words";
import { formatQuantity } from "~/ui/display/numbers";
import { shorten } from "~/ui/display/shorten";
import { exactTime, readTime } from "~/ui/display/time-text";

import { IMPORT, isDone } from "./who";
import { isKeyOf } from "~/ui/keys";

export type AuditRecord = NonNullable<AuditEntry["record"]>;
export type FieldChange = NonNullable<AuditEntry["changes"]>[number];

/** A verb when it happened, and when it was only tried. */
type Verb = readonly [done: string, tried: string];

/** Actions that are no create, update or delete of a kind, or are called something else on the screens. */
const VERBS: Readonly<Record<string, Verb>> = {
  "roleBindings.create": ["Granted access", "grant access"],
  "roleBindings.batchCreate": ["Granted access", "grant access"],
  "roleBindings.update": ["Changed access", "change access"],
  "roleBindings.delete": ["Removed access", "remove access"],
  "groupInvites.create": ["Invited", "invite"],
  "groupInvites.register": ["Redeemed invite", "redeem an invite"],
  "eligibleGrants.create": ["Made eligible", "make somebody eligible"],
  "eligibleGrants.delete": ["Removed eligibility", "remove somebody's eligibility"],
  "eligibleGrants.activate": ["Switched on or asked to", "switch on access"],
  "eligibleGrants.approve": ["Approved switching on", "approve that somebody switches on access"],
  "eligibleGrants.decline": ["Declined switching on", "decline that somebody switches on access"],
  "eligibleGrants.deactivate": ["Switched off or withdrew", "switch off access"],
  "terms.accept": ["Accepted terms", "accept terms"],
  "machineOwners.set": ["Set owner of machine", "set the owner of a machine"],
  "noticeSettings.update": ["Changed mail settings", "change mail settings"],
  "accessReviews.create": ["Started access review", "start an access review"],
  "accessReviews.update": ["Changed access review", "change an access review"],
  "accessReviews.delete": ["Deleted access review", "delete an access review"],
  "accessReviews.apply": ["Applied access review", "apply an access review"],
  "accessReviews.close": ["Closed access review", "close an access review"],
  "accessReviewItems.decide": ["Decided in an access review", "decide in an access review"],
  "repos.updateReadme": ["Updated readme", "update a readme"],
  "retentionRules.set": ["Set retention rule", "set a retention rule"],
  "retentionRules.delete": ["Deleted retention rule", "delete a retention rule"],
  "retentionRules.confirm": ["Confirmed retention rule", "confirm a retention rule"],
  "retentionRules.stop": ["Stopped retention rule", "stop a retention rule"],
  "retentionRuns.restore": ["Restored tags of a retention run", "restore tags of a retention run"],
  "service.stoppedRetention": [
    "Stopped retention rule by the service",
    "stop a retention rule by the service",
  ],
  "groups.acceptAccess": ["Accepted access", "accept access"],
  "groups.signSnapshot": ["Signed snapshot", "sign a snapshot"],
  "groups.requestGroupAccess": ["Asked for access", "ask for access"],
  "accessRequests.decline": ["Declined access request", "decline an access request"],
  "externalGroupRoleMappings.batchDelete": ["Deleted group mappings", "delete group mappings"],
  "identities.updateIdentityMetadata": ["Updated own details", "update own details"],
  "identityProviders.generateScimToken": ["Created SCIM token", "create a SCIM token"],
  "identityProviders.regenerateScimToken": ["Replaced SCIM token", "replace a SCIM token"],
  "identityProviders.revokeScimToken": ["Revoked SCIM tokens", "revoke SCIM tokens"],
  "identityProviders.setScimEnabled": ["Turned SCIM on or off", "turn SCIM on or off"],
  "scim.users.create": ["Pushed new user", "push a new user"],
  "scim.users.update": ["Pushed changed user", "push a changed user"],
  "scim.users.delete": ["Pushed removed user", "push a removed user"],
  "scim.groups.create": ["Pushed new group", "push a new group"],
  "scim.groups.update": ["Pushed changed group", "push a changed group"],
  "scim.groups.delete": ["Pushed removed group", "push a removed group"],
  "subscriptions.resend": ["Sent event again", "send an event again"],
  "subscriptions.sendTest": ["Sent test event", "send a test event"],
  "tokens.exchange": ["Exchanged token", "exchange a token"],
  "signIn.password": ["Signed in", "sign in"],
  "signIn.passwordApp": ["Signed in with an authenticator app", "sign in with an authenticator app"],
  "signIn.passwordPasskey": ["Signed in with password and passkey", "sign in with password and passkey"],
  "signIn.passwordRecovery": ["Signed in with a recovery code", "sign in with a recovery code"],
  "signIn.passkey": ["Signed in with a passkey", "sign in with a passkey"],
  "signIn.provider": ["Signed in with a provider", "sign in with a provider"],
  "signIn.client": ["Signed in as a client", "sign in as a client"],
  signUp: ["Signed up", "sign up"],
  signOut: ["Signed out", "sign out"],
  "password.change": ["Changed password", "change a password"],
  "password.reset": ["Reset password", "reset a password"],
  "secondFactor.confirm": ["Confirmed a change of second factors", "confirm a change of second factors"],
  "secondFactor.addApp": ["Added authenticator app", "add an authenticator app"],
  "secondFactor.addPasskey": ["Added passkey", "add a passkey"],
  "secondFactor.rename": ["Renamed second factor", "rename a second factor"],
  "secondFactor.remove": ["Removed second factor", "remove a second factor"],
  "secondFactor.makeCodes": ["Made new recovery codes", "make new recovery codes"],
  "secondFactor.reset": ["Removed all second factors", "remove all second factors"],
  "email.confirm": ["Confirmed address", "confirm an address"],
  "email.change": ["Changed address", "change an address"],
  ingest: ["Imported file", "import a file"],
  "refusals.repeated": ["Refused again and again", "repeat what was refused"],
  "registry.rename": ["Renamed in the registry", "rename in the registry"],
  "installation.move": ["Changed the public address", "change the public address"],
};

const DONE: Readonly<Record<string, string>> = { create: "Created", update: "Updated", delete: "Deleted" };
const OF_CHANGE: Readonly<Record<string, string>> = {
  created: "Created",
  updated: "Updated",
  deleted: "Deleted",
};

/** "signIn.other" as "Sign in other". */
const asWords = (action: string): string => {
  const words = action.replaceAll(/[._]/g, " ").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const nounOf = (kind: string | undefined): string =>
  (kind !== undefined && kindOf(kind)?.noun) || asWords(kind ?? "record").toLowerCase();

const nounOfRecord = ({ kind, uid }: NonNullable<AuditEntry["record"]>): string =>
  kind === "groups" && uid !== "" ? groupKindOf(uid) : nounOf(kind);

function verbOf({ action, change, record }: AuditEntry): Verb {
  const known = VERBS[action];
  if (known) return known;
  if (action === IMPORT) {
    const noun = record ? nounOfRecord(record) : "by a command";
    return [`Imported ${noun}`, `import ${noun}`];
  }
  const [collection = "", verb = ""] = action.split(".");
  const done = DONE[verb] ?? OF_CHANGE[verb];
  if (done === undefined) return [asWords(action), asWords(action).toLowerCase()];
  // The service names what it did by itself after the change, for any kind: without an entry, it is about all of them.
  if (collection === "service" && record === undefined)
    return [`${done} by the service`, `be ${done.toLowerCase()} by the service`];
  // A refused creation has no record of its own: it names what it would have been in.
  const made = record?.kind === collection && (change !== undefined || verb !== "create");
  const noun = made ? nounOfRecord(record) : nounOf(kindOf(collection) ? collection : record?.kind);
  // A record of a kind that is replaced whole: a tag that exists already moves.
  if (verb === "create" && change === "updated") return [`Moved ${noun}`, `move a ${noun}`];
  const article = /^[aeiou]/.test(noun) ? "an" : "a";
  return [`${done} ${noun}`, `${verb} ${article} ${noun}`];
}

/** What was done, without the record: "Granted access"; "Tried to delete a repo" if it was refused. */
export function actionWords(entry: AuditEntry): string {
  const [done, tried] = verbOf(entry);
  return isDone(entry) ? done : `Tried to ${tried}`;
}

/** An operation by its id, for a filter: "Granted access". */
export const operationWords = (action: string): string => verbOf({ uid: "", createTime: "", action })[0];

/** Everything that a service is known to log: the writes of every kind, and the rest. */
export const ACTIONS: readonly string[] = [
  ...new Set([
    ...everyKind.flatMap(({ collection, access }) =>
      Object.keys(DONE).flatMap((verb) => (verb in access ? [`${collection}.${verb}`] : [])),
    ),
    ...Object.keys(VERBS),
    IMPORT,
    ...Object.keys(OF_CHANGE).map((change) => `service.${change}`),
  ]),
];

/** The name of anything that an entry refers to, at that time. */
export function nameIn({ names, record, related = [] }: AuditEntry, uid: string | undefined): string {
  if (uid === undefined || uid === "") return "";
  const own = record?.uid === uid ? record : related.find((each) => each.record.uid === uid)?.record;
  return names?.[uid] ?? own?.name ?? shorten(uid);
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value ? value : undefined);

/** The record in words: "ci-bot as editor in team-a", "latest of python"; empty if the entry is about none. */
export function recordWords(entry: AuditEntry, record: AuditRecord | undefined = entry.record): string {
  if (record === undefined) return "";
  const { kind, uid, group } = record;
  if (kind === "roleBindings") {
    const [identity, role] = [text(record["identityUid"]), text(record["roleUid"])];
    const place = group === undefined ? "" : ` in ${nameIn(entry, group)}`;
    if (identity !== undefined && role !== undefined)
      return `${nameIn(entry, identity)} as ${nameIn(entry, role)}${place}`;
  }
  if (kind === "groupInvites" && record.name === undefined) return inviteWords(entry, uid);
  const name = record.name ?? (uid === "" ? undefined : nameIn(entry, uid));
  const parent = parentOf(uid);
  if (kind === "tags" && name !== undefined && entry.names?.[parent])
    return `${name} of ${entry.names[parent]}`;
  if (entry.action === "roleBindings.batchCreate" && entry.relatedCount)
    return `${formatQuantity(entry.relatedCount, "identity", "identities")} in ${name}`;
  return name ?? (group === undefined ? "" : nameIn(entry, group));
}

/** A text in an entry is JSON, and the beginning of one where it was cut. */
function parsed(json = "null"): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** An invite has no name: "ada@acme.example as editor", "anyone with the link as viewer"; "" if the entry doesn't say. */
function inviteWords(entry: AuditEntry, uid: string): string {
  const { changes = [] } = [entry, ...(entry.related ?? [])].find(({ record }) => record?.uid === uid) ?? {};
  const valueOf = (field: string): string | undefined => {
    const change = changes.find((each) => each.field === field);
    return text(parsed(change?.after ?? change?.before));
  };
  const role = valueOf("roleUid");
  return role === undefined ? "" : `${valueOf("email") ?? "anyone with the link"} as ${nameIn(entry, role)}`;
}

/** An entry in one line: "Granted access: ci-bot as editor in team-a". */
export function entryTitle(entry: AuditEntry): string {
  const what = recordWords(entry);
  const own = what === "" || (entry.record?.uid !== undefined && entry.record.uid === entry.actor?.uid);
  return own ? actionWords(entry) : `${actionWords(entry)}: ${what}`;
}

/** "its default role", or "through devs, ops": what of a provider gave a role at a sign-in; empty if the entry doesn't say. */
function givenBy({ changes = [], record }: AuditEntry, binding: AuditRecord): string {
  const after = (field: string): unknown => parsed(changes.find((each) => each.field === field)?.after);
  if (after("defaultRole") === binding["roleUid"] && binding.group === record?.group)
    return ", its default role";
  const groups = after("groups");
  return Array.isArray(groups) ? `, through ${groups.join(", ")}` : "";
}

/**
 * An entry in the history of a record that it changed besides its own: "Given at sign-in by Okta, through devs". The
 * actor signed in, and gave themselves nothing.
 */
export function besideWords(entry: AuditEntry, uid: string): string {
  const beside = entry.related?.find(({ record }) => record.kind === "roleBindings" && record.uid === uid);
  if (entry.action !== "signIn.provider" || beside?.change === undefined) return entryTitle(entry);
  const { provider } = entry.actor ?? {};
  const by = (provider && entry.names?.[provider]) ?? "its provider";
  return beside.change === "deleted"
    ? `Taken back at sign-in by ${by}`
    : `Given at sign-in by ${by}${givenBy(entry, beside.record)}`;
}

interface OutcomeWords {
  readonly word: string;
  readonly tone: "success" | "warning" | "danger" | "neutral";
}

const OUTCOME_WORDS: Readonly<Record<string, OutcomeWords>> = {
  OUTCOME_DONE: { word: "Done", tone: "success" },
  OUTCOME_DENIED: { word: "Denied", tone: "danger" },
  OUTCOME_REFUSED: { word: "Refused", tone: "warning" },
};
export const outcomeWords = (outcome: string | undefined): OutcomeWords =>
  OUTCOME_WORDS[outcome ?? "OUTCOME_DONE"] ?? { word: asWords(outcome ?? ""), tone: "neutral" };

const REASONS: Readonly<Record<string, string>> = {
  PERMISSION_DENIED: "No permission",
  ALREADY_EXISTS: "It existed already",
  FAILED_PRECONDITION: "Another record prevented it",
  WRONG_PASSWORD: "Wrong password",
  NO_ACCOUNT: "No account has that email",
  PROVIDER_FAILED: "The sign-in at the identity provider failed",
  ABORTED: "Someone else changed it at the same time",
};
/** Why it was refused; undefined if it was not. */
export const reasonWords = ({ reason, guardRails = [] }: AuditEntry): string | undefined =>
  reason === undefined || reason === ""
    ? undefined
    : guardRails.length > 0
      ? "A guard rail prevented it"
      : (REASONS[reason] ?? asWords(reason.toLowerCase()));

const TRANSPORTS: Readonly<Record<string, string>> = {
  http: "HTTP",
  grpc: "gRPC",
  command: "Command on the server",
  service: "The service",
};
export const transportWords = (transport: string | undefined): string | undefined =>
  transport === undefined ? undefined : (TRANSPORTS[transport] ?? transport);

/** What the screens call the constants of a field; an unset one is "". */
const CONSTANTS: Readonly<Record<string, (value: string) => string | undefined>> = {
  kind: (value) => organizationKind(value) ?? "",
  status: (value) => organizationStatus(value)?.word ?? "",
  catalogTier: (value) => tierWord(value) ?? "",
  capabilities: (value) => (isKeyOf(CAPABILITY_NAMES, value) ? CAPABILITY_NAMES[value] : undefined),
};

/** A constant of the API in words: `RELATIONSHIP_TYPE_CLAIM_MATCH` of `relationshipType` as "Claim match". */
function constantWords(field: string, value: string): string | undefined {
  if (!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(value)) return undefined;
  const own = field.split(".").at(-1) ?? "";
  const known = CONSTANTS[own]?.(value);
  if (known !== undefined) return known;
  const type = `${own.replaceAll(/[A-Z]/g, "_$&").toUpperCase()}_`;
  return value.startsWith(type) ? asWords(value.slice(type.length).toLowerCase()) : undefined;
}

/** Names instead of uids, words instead of constants, and times as everywhere. */
function named(entry: Pick<AuditEntry, "names">, field: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => named(entry, field, each));
  if (typeof value !== "string") return value;
  const name = entry.names?.[value] ?? constantWords(field, value);
  if (name !== undefined) return name;
  const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? readTime(value) : undefined;
  return time ? exactTime(time) : value;
}

/** What only organizations have: a folder has their zero values. */
const OF_ORGANIZATIONS = new Set(["kind", "status", "verified"]);

/** The changes of a record without what its page does not show either; one of an update is always shown. */
export const shownChanges = (
  record: AuditRecord | undefined,
  change: string | undefined,
  changes: readonly FieldChange[] = [],
): readonly FieldChange[] =>
  record?.kind === "groups" && parentOf(record.uid) !== "" && change !== "updated"
    ? changes.filter(({ field }) => !OF_ORGANIZATIONS.has(field))
    : changes;

/** A value of a field as the log keeps it: a JSON text, or only the beginning of one. */
export function valueOf(entry: Pick<AuditEntry, "names">, field: string, kept: string | undefined): unknown {
  if (kept === undefined) return undefined;
  try {
    return named(entry, field, JSON.parse(kept));
  } catch {
    return `${kept.replace(/^"/, "").replaceAll(String.raw`\n`, "\n")}…`;
  }
}
