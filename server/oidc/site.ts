import { createHash } from "node:crypto";

import type { Config } from "../config";
import { stylesheet } from "./stylesheet";

/** Where the provider's pages live and what they may reach; derived once from the configuration. */
export interface Site {
  /** The path of the issuer, "/oidc" below the path of PUBLIC_URL; every address of the provider begins with it. */
  readonly mount: string;
  readonly origin: string;
  readonly host: string;
  readonly protocol: "http" | "https";
  /** Where somebody goes who has lost their way. */
  readonly console: string;
  readonly icon: string;
  readonly stylesheet: string;
  readonly policy: string;
}

export const STYLESHEET_PATH = /^\/assets\/pages-[\w-]+\.css$/;

export function siteOf(config: Config): Site {
  const { origin, host, protocol, pathname } = new URL(config.publicUrl);
  const base = pathname.replace(/\/+$/, "");
  const mount = `${base}/oidc`;
  const version = createHash("sha256").update(stylesheet).digest("base64url").slice(0, 12);
  // Chromium holds every redirect that follows a form against form-action, the one back to the console included.
  const back = [...config.consoleUrls, ...config.federationCallbacks];
  const consoles = new Set(back.map((url) => new URL(url).origin));
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    // Empty, that is none: the provider adds the hash of its own script where it has to post a form by itself.
    "script-src",
    `form-action 'self' ${[...consoles].join(" ")}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    mount,
    origin,
    host,
    protocol: protocol === "https:" ? "https" : "http",
    console: config.consoleUrls[0] ?? `${config.publicUrl}/`,
    icon: `${base}/favicon.svg`,
    stylesheet: `${mount}/assets/pages-${version}.css`,
    policy: policy.join("; "),
  };
}
