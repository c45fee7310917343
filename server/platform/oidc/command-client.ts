import type { ServerResponse } from "node:http";
import type { ClientMetadata, interactionPolicy } from "oidc-provider";

import type { Site } from "./site";

const COMMAND = "platform-command";

/**
 * The client of the command `platform`: a native application (RFC 8252). Its code goes to a port of its choice on
 * 127.0.0.1, never to the name "localhost", which can resolve elsewhere (section 8.3).
 */
export const commandClient: ClientMetadata = {
  client_id: COMMAND,
  client_name: "platform",
  application_type: "native",
  token_endpoint_auth_method: "none",
  redirect_uris: ["http://127.0.0.1/callback"],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
};

/** True if these are of a sign-in for the command. */
export const isForCommand = ({ client_id }: Readonly<Record<string, unknown>>): boolean =>
  client_id === COMMAND;

/**
 * Adds the rule that the command never gets a code for a session alone: any program on a computer can call itself the
 * command, so the person signs in each time (RFC 8252, section 8.6).
 */
export function withCommandSignIn(
  policy: interactionPolicy.DefaultPolicy,
  { Check }: typeof interactionPolicy,
): interactionPolicy.DefaultPolicy {
  // The library's own rule asks for consent, which a signed-in browser gives by itself: all clients are first-party.
  policy.get("consent")?.checks.remove("native_client_prompt");
  policy
    .get("login")
    ?.checks.add(
      new Check("command", "a program asks", "login_required", ({ oidc: { client, result } }) =>
        Boolean(client && isForCommand({ client_id: client.clientId }) && !result?.login),
      ),
    );
  return policy;
}

/** Lets the forms of this sign-in end at the port where the command waits, and at no other. */
export function allowReturn(
  { policy }: Site,
  response: ServerResponse,
  params: Readonly<Record<string, unknown>>,
): void {
  if (!isForCommand(params)) return;
  const { origin } = new URL(String(params["redirect_uri"]));
  response.setHeader(
    "content-security-policy",
    policy.replace("form-action 'self'", `form-action 'self' ${origin}`),
  );
}
