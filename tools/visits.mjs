import { readdirSync } from "node:fs";

const page = ["index.html", "favicon.svg", "config.json"];

/** What finds out whether there is a session, and what every screen loads besides its own. */
const signingIn = ["index.html", "start", "src/auth/provider.ts"];
const signedIn = [...signingIn, "app"];

/** What comes unasked after the first rows; `e2e/first-visit.spec.ts` finds what is missing here. */
const repoNames = "src/features/registry/read-repo-names.ts";
const afterRows = {
  "index.tsx": ["ask", "src/screens/home/resolved.tsx"],
  "repos/index.tsx": ["src/screens/repos/tags-cell.tsx"],
  "roles/$uid.tsx": ["src/screens/roles/used-by-cell.tsx"],
  "roles/index.tsx": ["src/screens/roles/used-by-cell.tsx"],
  "snapshots.tsx": ["src/screens/snapshots/panels.tsx"],
  "subscriptions/$uid.tsx": ["event-types"],
  "tags/index.tsx": ["src/screens/tags/platforms-cell.tsx", repoNames],
  "tags/$uid.tsx": [repoNames],
  "terms/index.tsx": ["src/screens/terms/state-cell.tsx"],
};

/** Bytes, as served: what a screen may load up to its rows. */
const BUDGET = 215_000;

/** Route files as the router reads them: one that begins with `-` is none, `__root` is in every other. */
const routes = (root) =>
  readdirSync(`${root}/src/routes`, { recursive: true })
    .filter((file) => file.endsWith(".tsx") && !/(?:^|\/)(?:-|__root)/.test(file))
    .toSorted();

/**
 * The visits whose bytes are measured, each with the modules that it enters besides what those import statically: up to
 * the sign-in, and each route from an empty cache, the sign-in included, until nothing more comes by itself.
 * @param {string} root of the repository
 * @returns {import("./sizes.mjs").Visit[]}
 */
export const visitsOf = (root) => [
  {
    name: "`/`, not signed in, up to the provider's form",
    entries: signingIn,
    files: page,
    budget: 30_000,
  },
  ...routes(root).map((file) => ({
    name: `\`/${file.replace(/\.tsx$/, "").replace(/(?:^|\/)index$/, "")}\``,
    entries: [...signedIn, `src/routes/${file}`, ...(afterRows[file] ?? [])],
    files: page,
    budget: BUDGET,
  })),
];
