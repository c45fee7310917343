import { againOf, type Again } from "~/api/bulk/recreation-plan";
import { serviceTime } from "~/api/client/service-clock";
import { parentOf } from "platform-contract/aip";
import { groupInvites, TTL, type GroupInvite } from "platform-contract/iam/group-invites";
import { defineScreens } from "~/frame/define";
import { choice, contains, exact, pinned, searched, type SearchOf } from "~/frame/list/filters";
import { inviteName, isExpired } from "~/domains/access/grants/sent-invites";
import { shorten } from "~/ui/display/shorten";

/** Who can use it. */
export const forWhom = ({ email }: GroupInvite): string => email || "Anyone with the link";

const MAILED: Readonly<Record<string, string>> = {
  EMAIL_STATE_QUEUED: "Queued: not sent yet",
  EMAIL_STATE_SENT: "Sent: the mail server took it",
  EMAIL_STATE_FAILED: "Not sent: the mail server refused it, or could not be used in time",
};

/** How far the mail with it is; undefined if none is known of. */
export const mailedOf = ({ emailState = "" }: GroupInvite): string | undefined => MAILED[emailState];

/** Who created it, if visible. */
export const inviterOf = ({ createdBy }: GroupInvite): string | undefined =>
  createdBy && (createdBy.name || createdBy.email || shorten(createdBy.uid));

/** A pending invite counts as expiring soon within this many days: fewer than the seven that a new one has. */
export const SOON = 3;

const STATES = [
  { value: "pending", label: "pending" },
  { value: "expiring", label: `expiring in ${SOON} days` },
  { value: "expired", label: "expired" },
] as const;

/** True if an invite is in the given state. */
export function isInState(invite: GroupInvite, state: string, now = Date.now()): boolean {
  if (state !== "expiring") return isExpired(invite, now) === (state === "expired");
  return !isExpired(invite, now) && isExpired(invite, now + SOON * 86_400_000);
}

const filters = {
  // The key id is the beginning of a hash of the code, which the service stores.
  key: searched(exact("keyId", "Key id"), (text) => /^[0-9a-f]{16}$/.test(text)),
  contains: searched(
    contains<GroupInvite>("Email, role or inviter", (invite) => [
      invite.email,
      invite.role?.name,
      invite.createdBy?.name,
      invite.createdBy?.email,
    ]),
  ),
  state: pinned(
    choice<GroupInvite>("State", STATES, {
      matches: (state) => (invite) => isInState(invite, state),
    }),
  ),
};
export type GroupInviteSearch = SearchOf<typeof filters>;

export const groupInviteScreens = defineScreens(groupInvites, {
  drawers: {
    load: async () => (await import("./drawers")).GroupInviteDrawers,
    list: ["reissue"],
    page: ["reissue"],
  },
  filters,
  deletion: { dependents: () => [], changesAccess: true },
  nameOf: inviteName,
});

const HOUR = 3600;
const DAY = 24 * HOUR;

/** Lifetimes to choose from, as API durations. */
export const LIFETIMES = [
  { value: `${HOUR}s`, label: "1 hour" },
  { value: `${DAY}s`, label: "1 day" },
  { value: `${3 * DAY}s`, label: "3 days" },
  { value: `${7 * DAY}s`, label: "7 days" },
  { value: `${14 * DAY}s`, label: "14 days" },
  { value: `${TTL.most}s`, label: "30 days" },
] as const;

/** Returns the shortest of these that is at least as long as the invite's original lifetime. */
export function lifetimeOf({ createTime = "", expirationTime = "" }: GroupInvite): string {
  const seconds = (Date.parse(expirationTime) - Date.parse(createTime)) / 1000;
  const fitting = LIFETIMES.find(({ value }) => Number.parseInt(value, 10) >= seconds - 1);
  return (fitting ?? LIFETIMES.at(-1))?.value ?? "";
}

/** What an invite is created from with the same end; undefined of one that has expired. The code is another one. */
export function inviteAgain(invite: GroupInvite): Again | undefined {
  const { uid, role, roleUid = role?.uid, expirationTime = "" } = invite;
  const seconds = Math.floor((Date.parse(expirationTime) - serviceTime()) / 1000);
  if (!(seconds > 0)) return undefined;
  return againOf("groupInvites", parentOf(uid), {
    ...invite,
    roleUid,
    ttl: `${Math.max(TTL.least, seconds)}s`,
  });
}

/** Returns the link for the invited person. The code is in the fragment, which browsers don't send to servers. */
export const linkOf = (code: string): string => new URL(`invite#${code}`, document.baseURI).href;
