import { SECOND_FACTOR } from "../../access/caller";
import type { Proven } from "../authentication";
import type { Signed } from "./passkeys";

/** RFC 8176: a key in one device is "hwk"; one that the person's devices share is "swk". */
const keyOf = ({ synced }: Pick<Signed, "synced">): string => (synced ? "swk" : "hwk");

/** "mfa" is what a session needs where a second factor is: see requirement.ts. */
export const PASSED = SECOND_FACTOR;

export const withApp: Proven = { amr: ["pwd", "otp", PASSED], act: "signIn.passwordApp" };
/** A recovery code is a one-time password too; the registry has no other value for it. */
export const withRecoveryCode: Proven = { amr: ["pwd", "otp", PASSED], act: "recorded" };
export const withPasskey = (signed: Pick<Signed, "synced">): Proven => ({
  amr: ["pwd", keyOf(signed), PASSED],
  act: "signIn.passwordPasskey",
});
/** The device and what it verified the person by: two factors. */
export const withPasskeyAlone = (signed: Pick<Signed, "synced">): Proven => ({
  amr: [keyOf(signed), "user", PASSED],
  act: "signIn.passkey",
});
