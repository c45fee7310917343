import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import type { Identity } from "platform-contract/iam/identities";

import { exchangeTexts } from "./exchange-files";
import { emptyGitHub, GITHUB_ISSUER, githubSubject, type GitHubValues } from "./github";

const API = "https://platform.example/base";
const uid = `${"a".repeat(40)}/${"b".repeat(16)}`;
const URL_OF = `"${API}/sts/exchange?identity=${uid}"`;

const textsOf = (match: Partial<Identity>) => exchangeTexts({ uid, name: "ci", ...match } as Identity, API);
const github = (values: Partial<GitHubValues>) => {
  const base = { ...emptyGitHub, owner: "acme", ownerId: "1", repository: "app", repositoryId: "2" };
  const claimMatch = { issuer: GITHUB_ISSUER, ...githubSubject({ ...base, ...values }) };
  return textsOf({ claimMatch })[0]?.text ?? "";
};

/** The lines of the block that a line starts, without their indentation. */
function blockOf(yaml: string, start: string): string {
  const lines = yaml.split("\n");
  const after = lines.slice(lines.findIndex((line) => line.trim() === start) + 1);
  const depth = (line: string) => line.length - line.trimStart().length;
  const end = after.findIndex((line) => depth(line) < depth(after[0] ?? ""));
  return after
    .slice(0, end === -1 ? undefined : end)
    .map((line) => line.slice(depth(after[0] ?? "")))
    .join("\n");
}

describe("a workflow for GitHub", () => {
  test("asks GitHub for the token that the identity expects, and exchanges it", () => {
    const text = github({});
    expect(text).toContain("id-token: write");
    expect(text).toContain(`&audience=${encodeURIComponent(API)}"`);
    expect(text).toContain(URL_OF);
    const claimMatch = {
      issuer: GITHUB_ISSUER,
      subject: "repo:acme@1/app@2:ref:refs/heads/main",
      audience: "a b&c",
    };
    expect(textsOf({ claimMatch })[0]?.text).toContain("&audience=a%20b%26c");
  });

  test.each([
    ["https://github.acme.example/_services/token", true],
    ["https://token.actions.acme.ghe.com", true],
    ["https://token.actions.githubusercontent.com/acme", true],
    ["https://github.acme.example", false],
    ["https://ghe.com.evil.example/token.actions.acme.ghe.com", false],
  ])("is for the issuers of GitHub Enterprise too: %s", (issuer, known) => {
    const claims = { repository_id: "5678" };
    const [first] = textsOf({ claimMatch: { issuer, subject: "repo:acme/app:ref:refs/tags/v1", claims } });
    expect(first?.file).toBe(known ? ".github/workflows/platform.yml" : undefined);
    if (known) expect(first?.text).toContain('tags: ["v1"]');
  });

  test.each<[Partial<GitHubValues>, string]>([
    [{ trust: "branch", refs: { ...emptyGitHub.refs, branch: "release/*" } }, 'branches: ["release/*"]'],
    [{ trust: "tag", refs: { ...emptyGitHub.refs, tag: 'v"1' } }, 'tags: ["v\\"1"]'],
    [
      { trust: "environment", refs: { ...emptyGitHub.refs, environment: "pro: d" } },
      '    environment: "pro: d"',
    ],
    [{ trust: "pull_request" }, "on: pull_request"],
    [{ trust: "any" }, "on: push"],
  ])("runs when its token matches: %j", (values, line) => {
    expect(github(values)).toContain(line);
  });

  test("stops where the exchange is refused, and hides what it gets", () => {
    const script = blockOf(github({}), "run: |");
    const curl = (answer: string) =>
      `curl() { echo '${answer}'; case "$*" in *exchange*) ${"return 22"};; esac; }`;
    const file = join(mkdtempSync(join(tmpdir(), "workflow-")), "env");
    const run = (functions: string) =>
      spawnSync("bash", ["-eo", "pipefail", "-c", `${functions}\n${script}`], {
        env: { ...process.env, GITHUB_ENV: file, ACTIONS_ID_TOKEN_REQUEST_URL: "x" },
        encoding: "utf8",
      });
    const jq = `jq() { sed -n 's/.*"[a-z]*":"\\([^"]*\\)".*/\\1/p'; }`;
    const refused = run(`${curl('{"value":"oidc"}')}\n${jq}`);
    expect(refused.status).toBe(22);
    expect(refused.stdout).toBe("::add-mask::oidc\n");
    const done = run(`${curl('{"value":"secret"}').replace("return 22", ":")}\n${jq}`);
    expect(done.stdout).toBe("::add-mask::secret\n::add-mask::secret\n");
    expect(readFileSync(file, "utf8")).toBe("TOKEN=secret\n");
    expect(done.status).toBe(0);
  });
});

test("a job for GitLab gets the token that the identity expects, on its branch or tag", () => {
  const claimMatch = (subject: string) => ({ claimMatch: { issuer: "https://gitlab.example", subject } });
  const [job] = textsOf(claimMatch("project_path:acme/app:ref_type:branch:ref:main"));
  expect(job?.file).toBe(".gitlab-ci.yml");
  expect(job?.text).toContain(`aud: "${API}"`);
  expect(job?.text).toContain(URL_OF);
  expect(job?.text).toContain(String.raw`- if: "$CI_COMMIT_BRANCH == \"main\""`);
  const [tagged] = textsOf(claimMatch("project_path:acme/app:ref_type:tag:ref:v1"));
  expect(tagged?.text).toContain(String.raw`- if: "$CI_COMMIT_TAG == \"v1\""`);
  const pattern = { issuer: "https://gitlab.example", subjectPattern: "project_path:acme/app:.*" };
  expect(textsOf({ claimMatch: pattern })[0]?.text).not.toContain("rules:");
});

test("others get the command, and who has no tokens nothing", () => {
  const staticKeys = { issuer: "https://i.example", subject: "s", issuerKeys: "{}" };
  for (const match of [{ staticKeys }, { claimMatch: { issuer: "https://i.example", subject: "s" } }]) {
    const [command, ...rest] = textsOf(match as Partial<Identity>);
    expect(rest).toEqual([]);
    expect(command?.text).toContain(URL_OF);
  }
  expect(textsOf({ awsIdentity: { awsAccount: "123456789012" } } as Partial<Identity>)).toEqual([]);
});
