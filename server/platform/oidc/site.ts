import { createHash } from "node:crypto";

import { trimEndOf } from "platform-contract/trim";

import { accentOf, accentOfPages } from "../../accent";
import type { Announcement, Config } from "../../config";
import { relyingPartyAt } from "./factors/relying-party";
import { passkeyScript } from "./passkey-script";
import { script } from "./script";
import { stylesheetOf } from "./stylesheet";
import type { Typeface } from "./typeface";

/** Addresses and policy of the provider's pages, derived once from the configuration. */
export interface Site {
  /** Path of the issuer: "/oidc" below the path of PUBLIC_URL; prefix of all addresses of the provider. */
  readonly mount: string;
  readonly origin: string;
  readonly host: string;
  readonly protocol: "http" | "https";
  /** The console's address, for pages that lead nowhere else. */
  readonly console: string;
  /** What the installation is called. */
  readonly title: string;
  readonly supportUrl: string | undefined;
  readonly imprintUrl: string | undefined;
  readonly announcement: Announcement | undefined;
  readonly icon: string;
  readonly stylesheet: string;
  /** The content of `stylesheet`. */
  readonly styles: string;
  readonly script: string;
  /** Address of the script that talks to passkeys. */
  readonly passkeyScript: string;
  /** Where passkeys work; undefined on an IP address and over http, where browsers have none. */
  readonly passkeys: { readonly host: string; readonly origin: string } | undefined;
  /** The text face of the console's build; undefined if that is missing. */
  readonly font: string | undefined;
  readonly policy: string;
}

export const SCRIPT_PATH = /^\/assets\/pages-[\w-]+\.js$/;
export const PASSKEY_SCRIPT_PATH = /^\/assets\/passkeys-[\w-]+\.js$/;
export const STYLESHEET_PATH = /^\/assets\/pages-[\w-]+\.css$/;

export function siteOf(config: Config, typeface?: Typeface): Site {
  const { origin, host, protocol, pathname } = new URL(config.publicUrl);
  const base = trimEndOf(pathname, "/");
  const mount = `${base}/oidc`;
  const versionOf = (text: string) => createHash("sha256").update(text).digest("base64url").slice(0, 12);
  const accent = config.accent === undefined ? "" : accentOfPages(accentOf(config.accent));
  const styles = stylesheetOf(typeface) + accent;
  const scriptPath = `${mount}/assets/pages-${versionOf(script)}.js`;
  const passkeyPath = `${mount}/assets/passkeys-${versionOf(passkeyScript)}.js`;
  // Chromium applies form-action to all redirects after a form, including the one back to the console.
  const back = [...config.consoleUrls, ...config.federationCallbacks];
  const consoles = new Set(back.map((url) => new URL(url).origin));
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    // Two files, by their addresses; the provider adds the hash of its own script when it needs to auto-submit a form.
    `script-src ${origin}${scriptPath} ${origin}${passkeyPath}`,
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
    title: config.title,
    supportUrl: config.supportUrl,
    imprintUrl: config.imprintUrl,
    announcement: config.announcement,
    icon: `${base}/favicon.svg`,
    stylesheet: `${mount}/assets/pages-${versionOf(styles)}.css`,
    styles,
    script: scriptPath,
    passkeyScript: passkeyPath,
    passkeys: relyingPartyAt(config.publicUrl),
    font: typeface && `${base}/${typeface.text}`,
    policy: policy.join("; "),
  };
}
