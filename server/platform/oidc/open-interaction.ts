import type { IncomingMessage, ServerResponse } from "node:http";
import type { Provider } from "oidc-provider";

import { allowReturn } from "./command-client";
import type { PageContext } from "./page-context";
import { Refusal } from "./requests";

export type Interaction = Awaited<ReturnType<Provider["interactionDetails"]>>;

/** An interaction by its uid alone, whatever browser it belongs to. */
export function findInteraction(provider: Provider, uid: string): Promise<Interaction | undefined> {
  // A property that the types of oidc-provider lack.
  const { Interaction } = provider as Provider & {
    Interaction: { find(uid: string): Promise<Interaction | undefined> };
  };
  return Interaction.find(uid);
}

export const expired = (): Refusal =>
  new Refusal(
    400,
    "This sign-in has expired",
    "It was open too long, or was completed in another tab. Start again from the console.",
  );

/** Waits for the provider; throws the Refusal if it says that the sign-in was ended. */
export const orExpired = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw Object(error).name === "SessionNotFound" ? expired() : error;
  });

/** Returns the interaction of the cookie; knowing its address is not sufficient. */
export async function interactionOf(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  uid: string,
): Promise<Interaction> {
  const interaction = await orExpired(context.provider.interactionDetails(request, response));
  if (interaction.uid !== uid) throw expired();
  allowReturn(context.site, response, interaction.params);
  return interaction;
}
