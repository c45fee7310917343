import type { Config } from "../config";
import { Failure } from "../status";
import { corsFor } from "./cors";
import { setCommonHeaders, setRequestId } from "./headers";
import type { Listener } from "./server";

/** What a request gets before the database is open, or where the service leaves: come again. */
export function refuseAll(config: Config, why: string): Listener {
  const cors = corsFor(config);
  return (request, response) => {
    setRequestId(request, response);
    setCommonHeaders(config, response);
    // A console elsewhere could not read the refusal otherwise.
    if (cors(request, response)) return;
    const failure = new Failure("UNAVAILABLE", why);
    const headers = { "content-type": "application/json", "retry-after": "1", "cache-control": "no-store" };
    response.writeHead(failure.http, headers);
    response.end(JSON.stringify(failure.toStatus(`platform.${config.serviceDomain}`)));
  };
}
