import { expect, test } from "vitest";

import { broader } from "./broader";
import type { ClaimMatch } from "./proposal";

const marked = (old: ClaimMatch, next: ClaimMatch) => broader({ claimMatch: old }, { claimMatch: next });

const EXACT = { subject: "repo:acme/api:ref:refs/heads/main" };
const ALL = { subjectPattern: "repo:acme/api:.*" };

test.each<[ClaimMatch, ClaimMatch, string]>([
  [EXACT, { subjectPattern: "project_path:acme/api:.*" }, "it has a pattern in place of one subject"],
  [ALL, { subjectPattern: "project_path:acme/.*" }, "its pattern also matches other projects"],
  [ALL, { subjectPattern: ".*" }, "its pattern also matches other projects"],
  [ALL, { subjectPattern: "project_path:acme/api.*" }, "its pattern also matches other projects"],
  [ALL, { subjectPattern: "project_path:(acme|evil)/api:.*" }, "its pattern also matches other projects"],
  [ALL, { subjectPattern: "project_path:acme/api:[^:]*:ref:.*" }, "its pattern has more wildcards"],
  [
    { ...EXACT, claims: { actor: "ada" } },
    { subject: "project_path:acme/api:ref_type:branch:ref:main" },
    "it no longer requires actor",
  ],
])("%j to %j may match more", (old, next, why) => {
  expect(marked(old, next)).toBe(why);
});

test.each<[ClaimMatch, ClaimMatch]>([
  [EXACT, { subject: "project_path:acme/api:ref_type:branch:ref:main" }],
  [ALL, { subjectPattern: "project_path:group/acme/api:.*" }],
  [{ subjectPattern: "repo:acme/a\\.b:.*" }, { subjectPattern: "^project_path:acme/a\\.b:.*$" }],
  [
    { subjectPattern: "repo:acme/api:ref:refs/heads/release/.*" },
    { subjectPattern: "project_path:acme/api:ref_type:branch:ref:release/[^:]*" },
  ],
  [
    { subject: "repo:acme/api:environment:production" },
    { subjectPattern: "project_path:acme/api:.*", claims: { environment: "production" } },
  ],
])("%j to %j doesn't", (old, next) => {
  expect(marked(old, next)).toBeUndefined();
});
