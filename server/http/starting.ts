import type { Config } from "../config";
import { Failure } from "../status";
import { corsFor } from "./cors";
import { setCommonHeaders, setRequestId } from "./headers";
import type { Listener } from "./server";

/** Refuses all requests with a retry hint, before the database is open or while the service stops. */
export function refuseAll(config: Config, why: string): Listener {
  const cors = corsFor(config);
  return (request, response) => {
    setRequestId(request, response);
    setCommonHeaders(config, response);
    // Otherwise a console on another origin could not read the error.
    if (cors(request, response)) return;
    const failure = new Failure("UNAVAILABLE", why);
    const headers = { "content-type": "application/json", "retry-after": "1", "cache-control": "no-store" };
    response.writeHead(failure.http, headers);
    response.end(JSON.stringify(failure.toStatus(`platform.${config.serviceDomain}`)));
  };
}
