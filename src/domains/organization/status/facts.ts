import type { Person, Session } from "~/auth/session";
import type { Config } from "~/config";
import { exactTime } from "~/ui/display/time-text";

import { version } from "../../../../package.json";
import { medianOf, SAMPLES, type Area, type Measured } from "./measure";

export interface Fact {
  readonly term: string;
  /** Undefined if not set. */
  readonly value: string | undefined;
  /** True if it prevents something from working. */
  readonly wrong?: boolean;
}

export interface StatusFacts {
  readonly title: string;
  readonly facts: readonly Fact[];
}

const formatMs = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;

const WORDS = { refused: "Refused", unreachable: "Unreachable", invalid: "Unexpected response" };

/** Builds a row of the table: area, request, median, worst, result. */
export function latencyOf({ name, endpoint }: Area, measured: Measured | undefined) {
  const { times = [], problem } = measured ?? {};
  const result =
    measured === undefined
      ? "Measuring\u2026"
      : problem === undefined
        ? `${times.length} of ${SAMPLES} answered`
        : `${WORDS[problem.kind]}: ${problem.message}`;
  return {
    name,
    request: `${endpoint.method} ${endpoint.path}`,
    median: formatMs(medianOf(times)),
    worst: formatMs(times.length > 0 ? Math.max(...times) : undefined),
    result,
    wrong: problem !== undefined,
  };
}

/** Clock difference in ms that doesn't matter; the `Date` header has a resolution of one second. */
const MAX_SKEW_MS = 2000;

/** Describes the clock difference. `ahead`: how far the service's clock is ahead, in ms; undefined if unknown. */
export function clockText(ahead: number | undefined): string {
  if (ahead === undefined) return "Unknown: the service's Date header can't be read";
  if (Math.abs(ahead) <= MAX_SKEW_MS) return "Same time, within 2 seconds";
  return `The service is ${Math.round(Math.abs(ahead) / 1000)} seconds ${ahead > 0 ? "ahead" : "behind"}`;
}

/** Name of the entry script, which contains a hash of everything that it loads. */
function buildOf(page: Document): string | undefined {
  const src = page.querySelector<HTMLScriptElement>("script[type=module][src]")?.src;
  return src?.split("/").at(-1)?.replace(/\.js$/, "");
}

export const versions = (): StatusFacts => ({
  title: "Versions",
  facts: [
    { term: "Console", value: version },
    { term: "Console build", value: buildOf(document) },
    { term: "API", value: "v2" },
    { term: "Service", value: "Not reported by the API" },
  ],
});

const RENEWAL = {
  "refresh token": "Automatic, by refresh token",
  "hidden frame": "Automatic, in a hidden frame of the issuer",
  none: "Not possible: sign in again when it expires",
};

export const sessionFacts = (
  session: Pick<Session, "state" | "renewal">,
  { issuer, expiresAt }: Pick<Person, "issuer" | "expiresAt">,
  ahead: number | undefined,
): StatusFacts => ({
  title: "Session",
  facts: [
    { term: "Issuer", value: issuer },
    {
      term: "State",
      value: session.state === "active" ? "Active" : "Ended",
      wrong: session.state === "ended",
    },
    {
      term: "Token expires",
      value: Number.isFinite(expiresAt) ? exactTime(new Date(expiresAt * 1000)) : "Unknown",
    },
    { term: "Renewal", value: RENEWAL[session.renewal], wrong: session.renewal === "none" },
    { term: "Clock", value: clockText(ahead), wrong: ahead !== undefined && Math.abs(ahead) > 60_000 },
  ],
});

const pairs = (record: Readonly<Record<string, string>>): string =>
  Object.entries(record)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");

/** Which registry is behind the service, and what an operator sets to connect one. */
export const registry = ({
  registryAudience,
  registryHost,
  registryUsage,
}: Pick<Config, "registryAudience" | "registryHost" | "registryUsage">): StatusFacts => {
  const isConnected = registryAudience !== undefined;
  return {
    title: "Registry",
    facts: [
      {
        term: "Connection",
        value: isConnected
          ? `Connected: ${registryHost}`
          : "None. To connect one, the operator of this service sets REGISTRY_URL",
      },
      {
        term: "Pulls",
        value: registryUsage
          ? "Counted"
          : `Not counted. ${isConnected ? "The" : "With a registry, the"} operator sets REGISTRY_EVENTS_SECRET`,
      },
      ...(isConnected && registryUsage
        ? []
        : [{ term: "How to", value: "docs/registry.md, in the sources of the service" }]),
    ],
  };
};

/** `config.json` as parsed: absolute URLs, defaults filled in. The file is public. */
export const configuration = ({ oidc, ...config }: Config): StatusFacts => ({
  title: "Configuration",
  facts: [
    { term: "baseUrl", value: config.baseUrl },
    { term: "apiBaseUrl", value: config.apiBaseUrl },
    { term: "oidc.authority", value: oidc.authority },
    { term: "oidc.clientId", value: oidc.clientId },
    { term: "oidc.scope", value: oidc.scope },
    { term: "oidc.extraParams", value: pairs(oidc.extraParams) },
    { term: "registryHost", value: config.registryHost },
    { term: "title", value: config.title },
    { term: "supportUrl", value: config.supportUrl },
    { term: "imprintUrl", value: config.imprintUrl },
    { term: "fieldMaskCase", value: config.fieldMaskCase },
    { term: "machineIdentities", value: config.machineIdentities.join(", ") },
    { term: "machineClients", value: config.machineClients.join(", ") },
    { term: "readOnly", value: config.readOnly ? "on" : "off" },
    { term: "announcement", value: config.announcement?.text },
    { term: "idempotencyKeys", value: config.idempotencyKeys ? "on" : "off" },
    { term: "validateOnly", value: config.validateOnly ? "on" : "off" },
    { term: "readTime", value: config.readTime ? "on" : "off" },
    { term: "changeJustifications", value: config.changeJustifications ? "on" : "off" },
    { term: "auditLog", value: config.auditLog ? "on" : "off" },
    { term: "eventsLog", value: config.eventsLog ? "on" : "off" },
    { term: "imagePackages", value: config.imagePackages ? "on" : "off" },
    { term: "snapshotSignatures", value: config.snapshotSignatures ? "on" : "off" },
    { term: "registryUsage", value: config.registryUsage ? "on" : "off" },
    { term: "registryImages", value: config.registryImages ? "on" : "off" },
    { term: "registryAudience", value: config.registryAudience },
    { term: "trustedIssuers", value: config.trustedIssuers?.join(", ") },
    { term: "readmeImageOrigins", value: config.readmeImageOrigins.join(", ") },
  ],
});

function canStore(storage: () => Storage): boolean {
  const key = "pc.status";
  try {
    storage().setItem(key, key);
    storage().removeItem(key);
    return true;
  } catch {
    return false;
  }
}

/** Browser features that the console needs: a check for each, and what fails without it. */
const NEEDED: readonly (readonly [term: string, works: () => boolean, fails: string])[] = [
  ["Secure context", () => isSecureContext, "you can't sign in"],
  ["crypto.subtle", () => "subtle" in crypto, "you can't sign in"],
  ["Session storage", () => canStore(() => sessionStorage), "reloading signs in again and loses drafts"],
  [
    "Local storage",
    () => canStore(() => localStorage),
    "columns, saved views, and recent records aren't saved",
  ],
  ["Web Locks", () => "locks" in navigator, "tabs can't renew their session"],
  ["BroadcastChannel", () => "BroadcastChannel" in globalThis, "tabs can't share their session"],
  ["Streams", () => "ReadableStream" in globalThis, "responses can't be streamed"],
  ["Web Workers", () => "Worker" in globalThis, "readmes are shown as plain text"],
  ["Clipboard", () => "clipboard" in navigator, "copy buttons don't work"],
  ["dialog element", () => "HTMLDialogElement" in globalThis, "forms and dialogs don't open"],
  ["light-dark()", () => CSS.supports("color", "light-dark(#000, #fff)"), "colors are missing"],
];

export const browser = (): StatusFacts => ({
  title: "Browser",
  facts: [
    { term: "User agent", value: navigator.userAgent },
    { term: "Window", value: `${innerWidth} \u00d7 ${innerHeight}, ${devicePixelRatio} pixels per point` },
    { term: "Time zone", value: Intl.DateTimeFormat().resolvedOptions().timeZone },
    { term: "Online", value: navigator.onLine ? "Yes" : "No", wrong: !navigator.onLine },
    ...NEEDED.map(([term, works, fails]) => {
      const there = works();
      return { term, value: there ? "Available" : `Missing: ${fails}`, wrong: !there };
    }),
  ],
});

/** Formats everything as plain text, for a problem report. */
export function reportOf(
  title: string,
  now: Date,
  lines: readonly ReturnType<typeof latencyOf>[],
  sections: readonly StatusFacts[],
): string {
  const latency: StatusFacts = {
    title: "Latency",
    facts: lines.map(({ name, request, median, worst, result }) => ({
      term: `${name} (${request})`,
      value: [median && `median ${median}`, worst && `worst ${worst}`, result].filter(Boolean).join(", "),
    })),
  };
  const texts = [latency, ...sections].map((section) =>
    [
      section.title,
      ...section.facts.map(
        ({ term, value, wrong }) => `${wrong ? "! " : "  "}${term}: ${value || "not set"}`,
      ),
    ].join("\n"),
  );
  return [`${title} status, ${exactTime(now)}`, ...texts].join("\n\n");
}
