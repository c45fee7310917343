import type { GroupInvite } from "platform-contract/iam/group-invites";
import { shorten } from "~/ui/display/shorten";

export const isExpired = ({ expirationTime = "" }: GroupInvite, now = Date.now()): boolean =>
  Date.parse(expirationTime) <= now;

export const invitedRoleOf = ({ role, roleUid = "" }: GroupInvite): string => role?.name || shorten(roleUid);

/** Names an invite by its role and by who can use it. */
export const inviteName = (invite: GroupInvite): string =>
  `${invitedRoleOf(invite)} for ${invite.email ? invite.email : "anyone with the link"}`;

/** True if this identity created the invite, and it can still be used. */
export const isPendingOf = (invite: GroupInvite, identity: string, now: number): boolean =>
  invite.createdBy?.uid === identity && !isExpired(invite, now);
