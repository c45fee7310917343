/** Which file of the build holds a module: what `vite.config.ts` tells the bundler about our own modules. */
import type { Rolldown } from "vite";

type Naming = Extract<Rolldown.CodeSplittingGroup["name"], (...args: never[]) => unknown>;
type Context = Parameters<Naming>[1];

/** What the router splits off `src/routes/<screen>/...`: the component and the loader of a route. */
const ROUTE = /\/src\/routes\/([\w-]+).*\?tsr-split/;
/** Small pages that people open by a link from somebody else: one chunk. */
const LINKED = /^(?:ask|invite)$/;
const SCREEN = /\/src\/(?:domains\/[\w-]+|shell(?=\/home\/))\/([\w-]+)\//;

/** Subjects of what a few screens share, and where a module says so. */
const SUBJECTS: readonly (readonly [name: string, path: RegExp])[] = [
  ["vulnerabilities", /advisor|vulnerabilit/],
  ["registry", /registry|\/(?:repos|tags)\//],
  ["audit", /audit/],
  ["asking", /access-requests|\/offers/],
  ["access", /access|identit|role|invite|\/iam\//],
];
/** What only screens with writes need, most of which have no subject of their own: jobs, files to upload, drafts. */
const WRITES = /\/src\/(?:api\/(?:bulk|mutations)|ui\/form\/(?:\w+-)*(?:file|draft)-)/;
/** At most so many screens are a few. */
const FEW = 5;

/** Returns the entries through which a module is loaded: the page's own, routes, and modules behind an `import()`. */
function entriesOf(id: string, context: Context): readonly string[] {
  const seen = new Set([id]);
  const found: string[] = [];
  for (const each of seen) {
    const info = context.getModuleInfo(each);
    if (!info) continue;
    if (info.isEntry || info.dynamicImporters.length > 0) found.push(each);
    for (const importer of info.importers) seen.add(importer);
  }
  return found;
}

/** Names of chunks beyond those of screens and of modules behind an `import()`, by what shares their modules. */
type Shared =
  /** Many screens. */
  | "shared"
  /** A few screens, and the home page, which shows something of everything; or a few screens without it. */
  | "vulnerabilities"
  | "registry"
  | "asking"
  | "access"
  | "vulnerabilities-pages"
  | "registry-pages"
  | "audit-pages"
  | "access-pages"
  /** Writes and jobs, of lists with bulk acts, and files to upload. */
  | "writes"
  /** Requests, forms and other code behind several `import()`. */
  | "requests"
  | "forms"
  | "more";

/** Modules behind an `import()` that are in a shared chunk, because they are small and need most of it anyway. */
const JOINED: readonly (readonly [name: Shared, path: RegExp])[] = [
  ["forms", /\/grants\/filter-panels\.|\/terms\/accept-dialog\./],
  ["audit-pages", /\/log\/history\./],
];
/** The others that people use together, and that import much the same. Those in no row have a chunk of their own. */
const TOGETHER: readonly (readonly [name: string, path: RegExp])[] = [
  ["bulk", /\/bulk-delete\/parts\./],
  ["reports-parts", /\/vulnerability-reports\/parts\./],
  ["header", /\/(?:command\/command|who-sheet|inspector-sheet|group-tree\/parts)\./],
  ["access-requests", /\/access-requests\/parts\./],
  ["access-tabs", /\/(?:who-has-access|permissions)\./],
  ["audit-acts", /\/(?:undo-update|action-panel)\./],
  ["access-drawers", /\/(?:role-bindings|group-invites)\/drawers\.|\/people\/parts\.|\/qr-code\./],
  ["group-drawers", /\/(?:groups|account-associations|terms|subscriptions)\/drawers\./],
  ["advisories-parts", /\/advisories\/(?:details|vex-files)\./],
  ["cleanup", /\/(?:retention|migrate)\/parts\./],
  ["signature-checks", /\/subscriptions\/check-request\.|\/snapshots\/signature\./],
  ["registry-drawers", /\/(?:repos|tags)\/drawers\.|\/libraries\/install-dialog\./],
  ["access-review-campaign", /\/access-review\/steps\./],
];

/** Loaded by buttons that few people press. */
const SELDOM = new Set(["audit-acts", "access-review-campaign"]);

type Place =
  | { readonly kind: "shared"; readonly name: Shared }
  /** The list and the page of one screen. */
  | { readonly kind: "screen"; readonly name: string }
  | { readonly kind: "on demand"; readonly name: string };

const ownerOf = (entry: string): string | undefined => SCREEN.exec(entry)?.[1];

/** Returns the name of the chunk that holds an entry behind an `import()`. */
function chunkOf(entry: string): string {
  const [together] = [...JOINED, ...TOGETHER].find(([, path]) => path.test(entry)) ?? [];
  const [, name = ""] = /([\w-]+)\.\w+$/.exec(entry) ?? [];
  const owner = ownerOf(entry);
  return together ?? (owner === undefined ? name : `${owner}-${name}`);
}

/** Returns the screen whose route an entry is; undefined for one behind an `import()`. */
const screenOf = (entry: string): string | undefined =>
  ROUTE.exec(entry)?.[1]
    ?.replace(/^index$/, "home")
    .replace(LINKED, "linked");

function placeOf(id: string, context: Context): Place | undefined {
  if (!/\/(?:contract|src)\//.test(id)) return undefined;
  const entries = entriesOf(id, context);
  // The page's own modules and the app's, which have groups of their own.
  if (entries.some((entry) => /\/src\/app\/\w+\.tsx?$/.test(entry))) return undefined;
  const screens = new Set(entries.flatMap((entry) => screenOf(entry) ?? []));
  const demanded = entries.filter((entry) => !ROUTE.test(entry));
  const [screen] = screens;
  if (screen !== undefined) {
    const others = new Set(demanded.filter((entry) => ownerOf(entry) !== screen).map(chunkOf));
    const [other] = others;
    // One chunk that is seldom loaded can load the screen's as well: better than every screen of the subject with it.
    if (screens.size === 1 && (others.size === 0 || (others.size === 1 && SELDOM.has(other ?? ""))))
      return { kind: "screen", name: screen };
    const [subject] = (screens.size <= FEW && SUBJECTS.find(([, path]) => path.test(id))) || [];
    if (WRITES.test(id)) return { kind: "shared", name: "writes" };
    if (subject === undefined) return { kind: "shared", name: "shared" };
    const home = screens.has("home") || demanded.some((entry) => ownerOf(entry) === "home");
    // The home page shows too little of the audit log for a chunk, and everything about requests for access.
    if (home && subject === "audit") return { kind: "shared", name: "shared" };
    if (subject === "asking") return { kind: "shared", name: subject };
    return { kind: "shared", name: (home ? subject : `${subject}-pages`) as Shared };
  }
  const chunks = new Set(demanded.map(chunkOf));
  const [chunk] = chunks;
  if (chunk === undefined) return undefined;
  if (chunks.size > 1) {
    if (id.includes("/src/api/paging/")) return { kind: "shared", name: "shared" };
    if (id.includes("/src/api/")) return { kind: "shared", name: "requests" };
    const forms = chunks.has("forms") || [...chunks].some((each) => each.endsWith("-drawers"));
    return { kind: "shared", name: forms ? "forms" : "more" };
  }
  const joined = JOINED.find(([name]) => name === chunk);
  return joined ? { kind: "shared", name: joined[0] } : { kind: "on demand", name: chunk };
}

/** Names the chunk of a module if it is one of these. */
export const shared =
  (...names: readonly Shared[]): Naming =>
  (id, context) => {
    const place = placeOf(id, context);
    return place?.kind === "shared" && names.includes(place.name) ? place.name : null;
  };

/** Names the chunk of a module of a screen, or of one behind an `import()`. */
export const of =
  (kind: "screen" | "on demand"): Naming =>
  (id, context) => {
    const place = placeOf(id, context);
    return place?.kind === kind ? place.name : null;
  };
