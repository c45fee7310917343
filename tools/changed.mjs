/** Which of the long tests belong to a change: `npm run test:long -- --changed <ref>`. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const list = (folder, options) => readdirSync(join(root, folder), { encoding: "utf8", ...options });
const folders = (folder) =>
  list(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

const SCREENS = [...folders("src/screens"), ...folders("src/features")];

/** Screens whose records a form writes, and a kind that is part of one of them. */
const FORMS = [
  ...folders("src/screens").filter((name) => existsSync(join(root, "src/screens", name, "form.tsx"))),
  "external-group-role-mappings",
];

/** What the service stores and answers, on any database and over any protocol. */
const DATA = ["server/access", "server/handlers", "server/store", "server/conformance"];

/**
 * The areas that a test walks through, beyond the one of its own name: folders of src/screens and src/features, and of
 * the service with `server/`.
 */
const WALKS = {
  "e2e/access": ["current-user", "people", "role-bindings", "scope", "server/access"],
  "e2e/accessibility": SCREENS,
  "e2e/addresses": SCREENS,
  "e2e/advisories": ["affected", "server/ingest", "server/seed"],
  "e2e/long/advisory-cases": ["advisories", "affected", "tags", "server/ingest"],
  "e2e/changes": ["repos"],
  "e2e/long/demo-people": [...SCREENS, "server/access", "server/seed"],
  "e2e/directory-sync": ["identity-providers", "server/scim"],
  "e2e/ending-access": ["access", "home", "role-bindings", "server/access"],
  "e2e/faults-of-reads": ["group-tree", "home", "identities"],
  "e2e/faults-of-writes": [...FORMS, "readme"],
  "e2e/first-visit": ["identities"],
  "e2e/fonts": ["home"],
  "e2e/form-pages": ["group-invites", "identities", "identity-providers", "repos", "roles"],
  "e2e/grants": ["access", "identities", "people", "role-bindings", "roles"],
  "e2e/group-tree": ["groups", "scope"],
  "e2e/home": ["vulnerability-reports"],
  "e2e/identities": ["access"],
  "e2e/identity-providers": ["server/oidc"],
  "e2e/keyboard": ["group-tree", "groups", "identities"],
  "e2e/libraries": ["server/ingest"],
  "e2e/list-export": ["export", "groups", "identities", "tags"],
  "e2e/list-search": ["identities"],
  "e2e/lost-creates": FORMS,
  "e2e/mail": ["group-invites", "server/mail", "server/oidc"],
  "e2e/odd-answers": ["advisories", "group-tree", "home", "people", "tags"],
  "e2e/readmes": ["readme"],
  "e2e/repo-forms": ["registry", "repos"],
  "e2e/repo-tags": ["registry", "repos", "tags"],
  "e2e/reports": ["server/ingest", "server/seed", "tags", "vulnerability-reports"],
  "e2e/repos": ["registry"],
  "e2e/requests": ["request-inspector"],
  "e2e/role-bindings": ["access", "roles"],
  "e2e/select-many": ["bulk-delete", "identities", "tags"],
  "e2e/sign-in": ["current-user", "server/oidc"],
  "e2e/static-hosts": ["server/http"],
  "e2e/steady": SCREENS,
  "e2e/tags": ["registry"],
  "e2e/toasts": ["bulk-delete", "undo"],
  "e2e/long/deliveries": ["server/delivery", "subscriptions"],
  "e2e/long/copies": ["identities", "tags"],
  "e2e/long/deprecated": ["home", "tags"],
  "e2e/long/engines": [...SCREENS, "server/seed"],
  "e2e/long/faults-of-pages": ["groups", "identities"],
  "e2e/long/grants-half-done": ["access", "identities", "role-bindings"],
  "e2e/long/hostile-names": ["group-tree", "groups", "identities", "readme", "repos", "tags"],
  "e2e/long/keyboard-folders": ["group-tree", "groups"],
  "e2e/long/keyboard-registry": ["repos", "tags"],
  "e2e/long/leaks": ["groups", "home", "identities", "people"],
  "e2e/long/list-tools": ["identities"],
  "e2e/long/lost-answers": ["groups", "identities"],
  "e2e/long/migrate-refusals": ["access", "identities", "migrate"],
  "e2e/long/names": ["home", "identities", "people", "terms"],
  "e2e/long/navigation": ["group-tree"],
  "e2e/long/network": ["group-tree", "groups"],
  "e2e/long/odd-records": ["groups", "identities"],
  "e2e/long/page-tokens": ["server/store"],
  "e2e/long/presses": ["roles"],
  "e2e/long/readme-images": ["readme"],
  "e2e/long/redeployment": ["server/http"],
  "e2e/long/restart": ["server/oidc", "server/store"],
  "e2e/long/scan": ["groups", "identities", "people"],
  "e2e/long/sessions": ["server/oidc"],
  "e2e/long/silent-renewal": ["server/oidc"],
  "e2e/long/frame": SCREENS,
  "e2e/long/snapshots": ["export", "snapshots"],
  "e2e/long/steady": SCREENS,
  "e2e/long/tag-answers": ["registry", "tags"],
  "e2e/long/tag-pages": ["tags"],
  "e2e/long/tasks": [...SCREENS, "server/seed"],
  "e2e/long/wide-tree": ["group-tree", "groups", "scope"],
  "server/attacks/dead-sinks": ["server/delivery"],
  "server/attacks/everything": ["server/access", "server/delivery", "server/http"],
  "server/attacks/factors": ["server/mail", "server/oidc"],
  "server/attacks/invented-tokens": ["server/access", "server/http"],
  "server/attacks/issuers": ["server/access", "server/oidc"],
  "server/attacks/mail": ["server/mail", "server/oidc"],
  "server/attacks/patterns": ["server/access"],
  "server/attacks/proxied-departures": ["server/http"],
  "server/attacks/sign-in": ["server/oidc"],
  "server/attacks/slow-lists": ["server/http", "server/store"],
  "server/attacks/tokens": ["server/access"],
  "server/attacks/unread-pages": ["server/http"],
  "server/audit/forward/tls": ["server/audit"],
  "server/delivery/delivery": ["server/delivery"],
  "server/durability/disk": ["server/store"],
  "server/durability/idempotency": ["server/http", "server/store"],
  "server/durability/ingest": ["server/ingest"],
  "server/durability/kill": ["server/store"],
  "server/durability/limits": ["server/http"],
  "server/durability/mail": ["server/mail", "server/store"],
  "server/durability/pgbouncer": ["server/store"],
  "server/durability/together": ["server/delivery", "server/store"],
  "server/durability/upgrade": ["server/store"],
  "server/observe/telemetry": ["server/observe"],
  "server/grpc/python": ["server/grpc", "src/contract"],
  "server/scim/provision": ["server/scim", "server/store"],
  "server/transfer/commands": ["server/transfer"],
  "tools/alerts": ["server/observe"],
  "tools/chart": ["server/http"],
  "tools/release": ["server/oidc", "server/store"],
  postgres: [...DATA, "server/transfer"],
  grpc: [...DATA, "server/grpc"],
};

/** Every file with tests that only `--long` runs; the tests of a vitest project as one. */
export const LONG_TESTS = [
  ...list("e2e").flatMap((name) =>
    name.endsWith(".spec.ts") && /@long\b/.test(readFileSync(join(root, "e2e", name), "utf8"))
      ? [`e2e/${name}`]
      : [],
  ),
  ...list("e2e/long").map((name) => `e2e/long/${name}`),
  ...list("tools").flatMap((name) => (name.endsWith(".long.ts") ? [`tools/${name}`] : [])),
  ...list("server", { recursive: true }).flatMap((name) =>
    /^(?!node_modules|dist).*\.(?:long|attack)\.ts$/.test(name) ? [`server/${name}`] : [],
  ),
  "postgres",
  "grpc",
];

const AREAS = new Set([...SCREENS, ...Object.values(WALKS).flat()]);
const withoutEnding = (file) => file.replace(/\.\w+\.ts$/, "");

/** The areas that a test walks through. */
export const areasOf = (test) => {
  const own = basename(withoutEnding(test));
  return [...(AREAS.has(own) ? [own] : []), ...(WALKS[withoutEnding(test)] ?? [])];
};

/** Tests in the table that are not there any more. */
export const goneTests = () => {
  const there = new Set(LONG_TESTS.map(withoutEnding));
  return Object.keys(WALKS).filter((name) => !there.has(name) && !existsSync(join(root, `${name}.spec.ts`)));
};

/** Nothing that a long test could see. */
const UNSEEN = /\.(?:md|png|svg)$|^docs\/|^src\/gallery\/|\.(?:dom\.)?test\.\w+$|\.bench\.ts$/;

/** The areas that a file belongs to, as the table names them; none if it concerns everything. */
function areasAt(file) {
  const [, screen] = /^src\/(?:screens|features|routes)\/([\w-]+)/.exec(file) ?? [];
  if (screen !== undefined) return AREAS.has(screen) ? [screen] : [];
  const [, resource] = /^(?:src\/contract\/\w+|server\/(?:store|handlers))\/([\w-]+)\.ts$/.exec(file) ?? [];
  const [service] = /^server\/[\w-]+(?=\/)/.exec(file) ?? [];
  if (resource !== undefined && AREAS.has(resource)) return [resource, ...(service ? [service] : DATA)];
  // The rest of these two serves every resource.
  const isShared = service === "server/store" || service === "server/handlers";
  return service !== undefined && !isShared && AREAS.has(service) ? [service] : [];
}

/** The long tests that changed files touch, or all of them, if a file concerns everything. */
export function testsOf(files) {
  const seen = files.filter((file) => !UNSEEN.test(file));
  const chosen = new Set();
  for (const file of seen) {
    const areas = areasAt(file);
    const tests = LONG_TESTS.includes(file)
      ? [file]
      : LONG_TESTS.filter((test) => areasOf(test).some((area) => areas.includes(area)));
    const short = /^e2e\/[\w-]+\.spec\.ts$/.test(file);
    if (tests.length === 0 && !short && areas.length === 0) return LONG_TESTS;
    for (const test of tests) chosen.add(test);
  }
  return LONG_TESTS.filter((test) => chosen.has(test));
}

/** Files that differ from a commit: committed since, changed, or new. */
export function changedSince(ref) {
  const git = (...args) => {
    const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return stdout.split("\n").filter(Boolean);
  };
  return [...git("diff", "--name-only", ref, "--"), ...git("ls-files", "--others", "--exclude-standard")];
}
