import type { GroupInvite } from "platform-contract/iam/group-invites";
import { shorten } from "~/ui/display/shorten";

export const isExpired = ({ expirationTime = "" }: GroupInvite, now = Date.now()): boolean =>
  Date.parse(expirationTime) <= now;

export const invitedRoleOf = ({ role, roleUid = "" }: GroupInvite): string => role?.name || shorten(roleUid);

/** Names an invite by its role and by who can use it. */
export const inviteName = (invite: GroupInvite): string =>
  `${invitedRoleOf(invite)} for ${invite.email ? invite.email : "anyone with the link"}`;

/** True if an invite is for somebody's address. Redeeming it compares them the same way. */
export const isFor = ({ email }: GroupInvite, address: string | undefined): boolean =>
  email !== undefined && email !== "" && email.toLowerCase() === address?.toLowerCase();

interface Sender {
  /** uid of an identity. */
  readonly uid: string;
  readonly email?: string | undefined;
}

/** True if somebody created the invite or it is for their address, and it can still be used. @param now in ms */
export const isPendingOf = (invite: GroupInvite, { uid, email }: Sender, now: number): boolean =>
  (invite.createdBy?.uid === uid || isFor(invite, email)) && !isExpired(invite, now);
