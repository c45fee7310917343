import type { Config } from "../config";
import { Failure } from "../status";
import type { Listener } from "./app";
import { setCommonHeaders, setRequestId } from "./headers";

/** What a request gets before the database is open: come again. */
export const refuseWhileStarting =
  (config: Config): Listener =>
  (request, response) => {
    setRequestId(request, response);
    setCommonHeaders(config, response);
    const failure = new Failure("UNAVAILABLE", "The service is starting");
    const headers = { "content-type": "application/json", "retry-after": "1", "cache-control": "no-store" };
    response.writeHead(failure.http, headers);
    response.end(JSON.stringify(failure.toStatus(`platform.${config.serviceDomain}`)));
  };
