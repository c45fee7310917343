import {
  Building2Icon,
  ChartColumnIcon,
  CloudIcon,
  DiffIcon,
  FileInputIcon,
  FolderIcon,
  FolderTreeIcon,
  HistoryIcon,
  HouseIcon,
  IdCardIcon,
  KeyRoundIcon,
  LibraryIcon,
  FenceIcon,
  ListChecksIcon,
  LogInIcon,
  MailIcon,
  PackageIcon,
  ScrollTextIcon,
  ShieldAlertIcon,
  ShieldIcon,
  TagIcon,
  UsersIcon,
  WebhookIcon,
  type LucideIcon,
} from "lucide-react";

import { parentOf } from "platform-contract/aip";
import type { KINDS } from "platform-contract/kinds";

type Shown = { [K in keyof typeof KINDS]: (typeof KINDS)[K]["screens"] extends true ? K : never };

/** The compiler requires an entry for each kind with screens. */
const OF_KINDS: Readonly<Record<Shown[keyof Shown], LucideIcon>> = {
  groups: FolderTreeIcon,
  identities: IdCardIcon,
  roles: ShieldIcon,
  roleBindings: KeyRoundIcon,
  groupInvites: MailIcon,
  identityProviders: LogInIcon,
  guardRails: FenceIcon,
  repos: PackageIcon,
  tags: TagIcon,
  accountAssociations: CloudIcon,
  terms: ScrollTextIcon,
  subscriptions: WebhookIcon,
  advisories: ShieldAlertIcon,
};

/** Of a collection, or of a screen that shows something else: the same in the navigation, titles and search results. */
export const KIND_ICONS: Readonly<Record<string, LucideIcon>> = {
  ...OF_KINDS,
  "": HouseIcon,
  organization: Building2Icon,
  folder: FolderIcon,
  people: UsersIcon,
  libraries: LibraryIcon,
  reports: ChartColumnIcon,
  snapshots: DiffIcon,
  auditLog: HistoryIcon,
  accessReview: ListChecksIcon,
  import: FileInputIcon,
};

export const iconOf = (collection: string): LucideIcon | undefined => KIND_ICONS[collection];

/** What a record at the root level and one below it is, if its kind has two. */
const AT_ROOT: Readonly<Record<string, string>> = { groups: "organization", identities: "people" };
const BELOW: Readonly<Record<string, string>> = { groups: "folder" };

export const iconOfRecord = (collection: string, uid: string): LucideIcon | undefined =>
  iconOf((parentOf(uid) === "" ? AT_ROOT : BELOW)[collection] ?? collection);
