import { readdirSync } from "node:fs";

/** The content of `config.json`, 0.1 kB, is not counted: the service adds it to the page, a static host sends the file. */
const page = ["index.html", "favicon.svg"];

/**
 * Sources of files that the first stylesheet names, and that a browser fetches only once something on the page uses them.
 * Each visit counts all of them.
 */
export const whenUsed = [
  "node_modules/@fontsource-variable/geist/files/geist-latin-ext-wght-normal.woff2",
  "node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2",
  "src/ui/marks/check.svg",
  "src/ui/marks/mixed.svg",
  "src/ui/marks/select.svg",
];

/** Modules that find the session, and those that every screen loads. */
const signingIn = ["index.html", "start", "src/auth/provider.ts"];
const signedIn = [...signingIn, "app"];

/** Modules that load by themselves after the first rows; `e2e/first-visit.spec.ts` finds missing ones. */
const afterRows = {
  "identities/$uid.tsx": ["src/screens/identities/exchange.tsx"],
  "index.tsx": ["ask", "src/screens/home/resolved.tsx"],
  "repos/index.tsx": ["src/screens/repos/tags-cell.tsx"],
  "roles/$uid.tsx": ["src/screens/roles/used-by-cell.tsx"],
  "roles/index.tsx": ["src/screens/roles/used-by-cell.tsx"],
  "snapshots.tsx": ["src/screens/snapshots/panels.tsx"],
  "subscriptions/$uid.tsx": ["event-types"],
  "tags/$uid.tsx": ["read-repo-names"],
  "tags/index.tsx": ["read-repo-names", "src/screens/tags/platforms-cell.tsx"],
  "terms/index.tsx": ["src/screens/terms/state-cell.tsx"],
};

/** The history of a record, on every page of one that the log can name, and who changed what on home. */
const HISTORY = "src/features/audit/history.tsx";
const hasHistory = (file) =>
  file === "index.tsx" || /^(?!advisories|ask|audit-log|libraries).*\/\$uid\.tsx$/.test(file);

/** Bytes as served: the maximum for a visit to a screen. */
const BUDGET = 260_000;

/** Route files as the router reads them: files that begin with `-` are no routes, `__root` is part of every route. */
const routes = (root) =>
  readdirSync(`${root}/src/routes`, { recursive: true })
    .filter((file) => file.endsWith(".tsx") && !/(?:^|\/)(?:-|__root)/.test(file))
    .toSorted();

/**
 * The measured visits, each with the modules it enters (their static imports follow from the manifest): one up to the
 * sign-in form, and one per route from an empty cache, including the sign-in, until nothing more loads by itself.
 * @param {string} root of the repository
 * @returns {import("./sizes.mjs").Visit[]}
 */
export const visitsOf = (root) => [
  {
    name: "`/`, not signed in, up to the provider's form",
    entries: signingIn,
    files: page,
    budget: 33_000,
  },
  ...routes(root).map((file) => ({
    name: `\`/${file.replace(/\.tsx$/, "").replace(/(?:^|\/)index$/, "")}\``,
    entries: [
      ...signedIn,
      `src/routes/${file}`,
      ...(afterRows[file] ?? []),
      ...(hasHistory(file) ? [HISTORY] : []),
    ],
    files: page,
    budget: BUDGET,
  })),
];
