import { channel } from "node:diagnostics_channel";

/** What a sign-in counts as; says nothing of whose it was. */
export interface SignIn {
  readonly act: string;
  readonly refused: boolean;
}

/** The channel on which every sign-in of this process is told (node:diagnostics_channel). */
export const SIGN_INS = "platform.sign-ins";

const told = channel(SIGN_INS);

export const tellSignIn = (signIn: SignIn): void => told.publish(signIn);
