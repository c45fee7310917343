import type { IncomingMessage } from "node:http";
import { extname } from "node:path";

import { accentOf, accentStyles } from "../../accent";
import { announcementAt, PRODUCT, type Announcement, type Config } from "../../config";
import { Failure } from "../../status";
import { now } from "../store/clock";
import { personUid } from "../store/uids";
import { versionedArea } from "./api";
import { refusal, unknownPath, type Answer } from "./answers";
import { ACCENT_FILE, answerWith, readConsoleFiles, readLogo, readPage, textFile } from "./console-files";
import { policyOfPages } from "./headers";
import { headerOf } from "./messages";

export interface PageRequest {
  readonly method: string;
  readonly request: IncomingMessage;
  /** Raw path below the base path, with a leading slash. */
  readonly path: string;
  readonly search: string;
  /** The host as the browser sees it; undefined if unknown. */
  readonly host: string | undefined;
}

/**
 * Serves the built console: hashed assets are immutable, the page and its configuration are always revalidated. Paths
 * that a browser navigates to get the page, except the API's. `directory` is the output of `vite build`.
 */
export function createPages(config: Config, directory: string): (call: PageRequest) => Answer {
  const domain = `console.${config.serviceDomain}`;
  const publicUrl = new URL(config.publicUrl);
  const basePath = new URL(`${config.publicUrl}/`).pathname;
  const accent = config.accent === undefined ? undefined : accentStyles(accentOf(config.accent));
  const configured = (announcement: Announcement | undefined) => {
    const settings = JSON.stringify(consoleConfig(config, announcement));
    return {
      page: readPage(directory, basePath, settings, config.title, accent !== undefined),
      settings: textFile(settings, ".json"),
    };
  };
  // Both are packed at the start: an announcement ends without a restart.
  const silent = configured(undefined);
  const announcing = config.announcement ? configured(config.announcement) : silent;
  const files = new Map([
    ...readConsoleFiles(directory),
    ...(config.logo === undefined ? [] : [["favicon.svg", readLogo(config.logo)] as const]),
    ...(accent === undefined ? [] : [[ACCENT_FILE, textFile(accent, ".css")] as const]),
  ]);
  const pageHeaders = { "content-security-policy": policyOfPages(config) };

  return ({ method, request, path, search, host }) => {
    const reads = method === "GET" || method === "HEAD";
    const current = announcementAt(config, now()) ? announcing : silent;
    const file = path === "/config.json" ? current.settings : files.get(path.slice(1));
    if (file && reads) return answerWith(request, file);
    if (!reads || !isPage(request, path)) return refusal(unknownPath(), domain);
    // Under another host name of this machine users could not sign in: its origin is not registered.
    if (host !== undefined && host !== publicUrl.host)
      return redirect(`${config.publicUrl}${path}${search && `?${search}`}`);
    if (current.page) return answerWith(request, current.page, pageHeaders);
    return refusal(new Failure("UNAVAILABLE", "The console is not built: run npm run build"), domain);
  };
}

/** Temporary: the address can change with the next start. */
export const redirect = (location: string): Answer => ({
  status: 307,
  headers: { location, "cache-control": "no-store" },
});

/** The configuration that the console loads first. */
const consoleConfig = (config: Config, announcement: Announcement | undefined) => ({
  apiBaseUrl: config.publicUrl,
  idempotencyKeys: true,
  auditLog: true,
  eventsLog: true,
  imagePackages: true,
  snapshotSignatures: true,
  tokenExchange: true,
  accessRequests: true,
  accessDecisions: true,
  guardRails: true,
  eligibleGrants: true,
  accessReviews: true,
  changeJustifications: true,
  validateOnly: true,
  readOnlyTokens: true,
  readTime: true,
  notices: true,
  ...(config.retentionRuns && { retention: true }),
  ...(config.capabilityUseDays > 0 && { capabilityUse: true }),
  pushedGroups: true,
  providerSetup: true,
  oidc: { authority: config.issuer, clientId: "console", scope: "openid profile email offline_access" },
  ...(config.readOnly && { readOnly: true }),
  ...(config.mail && !config.readOnly && { mail: true }),
  ...(config.registry && { registryAudience: config.registry.issuer, registryImages: true }),
  ...(config.registry?.eventsSecret !== undefined && { registryUsage: true }),
  ...(config.automationClientSecret !== undefined && {
    machineIdentities: [personUid(config.issuer, "automation")],
    machineClients: ["automation"],
  }),
  // Not a secret: signed-in users see it in the first rejected request. Publishing it saves them that.
  trustedIssuers: config.trustedIssuers,
  ...(config.title !== PRODUCT && { title: config.title }),
  ...(config.supportUrl !== undefined && { supportUrl: config.supportUrl }),
  ...(config.imprintUrl !== undefined && { imprintUrl: config.imprintUrl }),
  ...(announcement && { announcement }),
  ...(config.registryHost !== undefined && { registryHost: config.registryHost }),
  ...(config.readmeImageOrigins.length > 0 && { readmeImageOrigins: config.readmeImageOrigins }),
});

/** True if a browser navigates to a screen; false for subresources, such as a script that no longer exists. */
function isPage(request: IncomingMessage, path: string): boolean {
  if (path.startsWith("/assets/")) return false;
  const accept = headerOf(request, "accept") ?? "*/*";
  // Only navigation explicitly accepts HTML; it gets the console, whatever the extension of the path.
  if (path === "/" || accept.includes("text/html")) return true;
  // What is no browser looks for an API here.
  if (path === "/api") return false;
  return accept.includes("*/*") && extname(path) === "" && versionedArea(path) === undefined;
}
