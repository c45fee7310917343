import type { IncomingMessage, ServerResponse } from "node:http";
import type { Provider } from "oidc-provider";

import type { Desk } from "./desk";
import { Refusal } from "./requests";

export type Interaction = Awaited<ReturnType<Provider["interactionDetails"]>>;

export const expired = (): Refusal =>
  new Refusal(
    400,
    "This sign-in has expired",
    "It was open too long, or was completed in another tab. Start again from the console.",
  );

/** Returns the interaction of the cookie; knowing its address is not sufficient. */
export async function interactionOf(
  desk: Desk,
  request: IncomingMessage,
  response: ServerResponse,
  uid: string,
): Promise<Interaction> {
  try {
    const interaction = await desk.provider.interactionDetails(request, response);
    if (interaction.uid === uid) return interaction;
  } catch (error) {
    if ((error as Error).name !== "SessionNotFound") throw error;
  }
  throw expired();
}
