import type { Config } from "../config";
import type { Listener } from "./server";
import { refuseAll } from "./starting";

/**
 * Graceful shutdown for load balancers: after `begin`, `/healthz` returns 503 and HTTP/1.1 connections close after
 * their response, while everything else is served as before.
 */
export function createLeaving(config: Config): { begin(): void; before(listener: Listener): Listener } {
  const refuse = refuseAll(config, "The service is stopping");
  // Some proxies have already stripped the path of PUBLIC_URL.
  const checks = ["/healthz", `${new URL(config.publicUrl).pathname.replace(/\/$/, "")}/healthz`];
  let leaving = false;
  return {
    begin: () => void (leaving = true),
    before: (listener) => (request, response) => {
      if (leaving && request.httpVersionMajor === 1) response.setHeader("connection", "close");
      const [path = ""] = (request.url ?? "").split("?", 1);
      if (leaving && checks.includes(path)) refuse(request, response);
      else listener(request, response);
    },
  };
}
