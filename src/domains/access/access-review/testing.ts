import type { AuditEntry } from "platform-contract/audit/entries";
import type { Identity } from "platform-contract/iam/identities";
import type { RoleBinding } from "platform-contract/iam/role-bindings";
import type { Role } from "platform-contract/iam/roles";

import type { GrantFacts } from "./evidence";
import type { Review } from "./format";
import { itemsOf } from "./evidence";
import type { Live } from "./read";

export const ORG = "a".repeat(40);
export const TEAM = `${ORG}/${"b".repeat(16)}`;
export const DAY = "2026-01-01T00:00:00.000Z";
const hex = (number: number, length: number): string => number.toString(16).padStart(length, "0");

/** A person, or with a group a machine in it. */
export const identityUid = (number: number, group?: string): string =>
  group === undefined ? hex(number, 40) : `${group}/${hex(number, 16)}`;

const role = (number: number, name: string, capabilities: readonly string[]): Role =>
  ({ uid: hex(0xf00 + number, 40), name, capabilities }) as Role;

const VIEWS = ["CAP_REPO_LIST", "CAP_IAM_GROUPS_LIST"];
export const viewer = role(1, "viewer", VIEWS);
export const editor = role(2, "editor", [...VIEWS, "CAP_REPO_CREATE", "CAP_REPO_UPDATE"]);
export const owner = role(3, "owner", [
  ...VIEWS,
  "CAP_REPO_CREATE",
  "CAP_REPO_UPDATE",
  "CAP_IAM_ROLES_CREATE",
]);
export const creator = role(4, "creator", ["CAP_REPO_CREATE"]);
export const pusher = role(5, "pusher", ["CAP_MANIFEST_CREATE"]);
export const ROLES = [viewer, editor, owner, creator, pusher];

export const binding = (
  number: number,
  {
    identity = identityUid(1),
    role: of = viewer,
    group = TEAM,
    ...more
  }: {
    readonly identity?: string;
    readonly role?: Role;
    readonly group?: string;
    readonly expirationTime?: string;
  } = {},
): RoleBinding =>
  ({
    uid: `${group}/${hex(number, 16)}`,
    createTime: DAY,
    identity: { uid: identity, name: `who ${Number.parseInt(identity.slice(-4), 16)}` },
    group: { uid: group, name: group === ORG ? "acme" : "team" },
    role: { uid: of.uid, name: of.name },
    ...more,
  }) as RoleBinding;

export const entry = (action: string, more: Partial<AuditEntry> = {}): AuditEntry =>
  ({ uid: `${TEAM}/${hex(1, 16)}`, createTime: DAY, action, ...more }) as AuditEntry;

export const facts = (bindings: readonly RoleBinding[], more: Partial<GrantFacts> = {}): GrantFacts => ({
  bindings,
  above: [],
  aboveHidden: false,
  identities: new Map<string, Identity>(),
  roles: ROLES,
  pulls: undefined,
  use: undefined,
  log: { about: new Map(), changes: [], since: DAY },
  folderNames: new Map(),
  me: undefined,
  ...more,
});

export const live = (bindings: readonly RoleBinding[], more: Partial<Live> = {}): Live => ({
  items: itemsOf(more.facts ?? facts(bindings)),
  facts: facts(bindings),
  inherited: [],
  time: "2026-11-02T00:00:00.000Z",
  name: "acme",
  gaps: [],
  hidden: new Set(),
  ...more,
});

export const review = (bindings: readonly RoleBinding[], more: Partial<Review> = {}): Review => ({
  id: "00000000-0000-4000-8000-000000000000",
  title: "Quarter",
  scope: { uid: ORG, name: "acme" },
  service: "https://api.example",
  started: { by: "ada@example.com", at: DAY },
  read: DAY,
  gaps: [],
  items: itemsOf(facts(bindings)),
  reviewers: {},
  ...more,
});
