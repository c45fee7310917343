import type { Identity } from "platform-contract/iam/identities";

/** Someone whose access ends. */
export interface Leaver {
  readonly uid: string;
  readonly name: string;
  /** Address to which they may have been invited, if it is known. */
  readonly email?: string | undefined;
}

/** The identity as one whose access ends. */
export const leaverOf = ({ uid, name = uid, email, emailUnverified }: Identity): Leaver => ({
  uid,
  name,
  email: email ?? emailUnverified,
});
