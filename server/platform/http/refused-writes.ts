import type { Endpoint } from "platform-contract/endpoint";
import { rootOf } from "platform-contract/aip";
import { GUARD_RAIL } from "platform-contract/iam/guard-rails";
import { preconditionViolations } from "platform-contract/status";
import { endpoints } from "platform-contract";

import type { Caller } from "../access/caller";
import { isLogged, type Refused } from "../audit/refusals";
import { writes } from "../audit/writes";
import type { Log } from "../../log";
import { tellMissingEntry } from "../../missing-entries";
import { Failure } from "../../status";
import { unavailable } from "../store/refusals";
import { arrivalOf, identityOf, type Incoming } from "./incoming";
import type { Operation } from "./router";

export type LogRefusedWrite = (
  operation: Operation,
  incoming: Incoming,
  caller: Caller,
  error: unknown,
) => Promise<void>;

/** The operation with the same method and path that was denied, if the capability says so. */
const deniedOperation = (endpoint: Endpoint, capability: string | undefined): Endpoint =>
  endpoints.find(({ shares, access }) => shares === endpoint.id && access.needs.join(",") === capability) ??
  endpoint;

/** Logs a write that was refused, also if the client is gone. Throws UNAVAILABLE if it cannot be logged. */
export function createRefusedWrites(options: {
  readonly log: Log;
  readonly logRefusal: (refused: Refused) => Promise<void>;
}): LogRefusedWrite {
  const { log, logRefusal } = options;
  return async ({ endpoint }, incoming, caller, error) => {
    if (!(error instanceof Failure) || !writes(endpoint) || !isLogged(error.name)) return;
    const { issuer, subject, client, jti } = caller;
    const identity = identityOf(caller);
    const { capability, resource } = error.options.metadata ?? {};
    const refused = {
      endpoint: deniedOperation(endpoint, capability),
      path: incoming.path,
      // Where it was denied, if the body says where.
      resource,
      caller: { issuer, subject, client, jti, identity },
      arrival: arrivalOf(incoming),
      reason: error.name,
      guardRails: preconditionViolations(error.toStatus(""))
        .filter(({ type }) => type === GUARD_RAIL)
        .map(({ description, subject = "" }) => ({
          guardRail: subject,
          sentence: description,
          effect: "GUARD_RAIL_EFFECT_REFUSED" as const,
        })),
      organizations: new Set(caller.grants.map(({ group }) => rootOf(group))),
    };
    const { requestId } = incoming;
    await logRefusal(refused).catch((err: unknown) => {
      tellMissingEntry();
      log.error({ requestId, err }, "a refusal is missing in the audit log");
      throw unavailable("the refusal cannot be logged", err);
    });
  };
}
