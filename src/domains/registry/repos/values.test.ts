import { expect, test } from "vitest";

import { repos, type Repo, type RepoInput } from "platform-contract/registry/repos";
import { changesBetween } from "~/ui/form/changes";
import { problemsOf } from "~/frame/form/problems";

import { leaves } from "./form";
import { countSet } from "./use-set-note";
import { fromRepo, toBody } from "./values";

const SOURCE = "0".repeat(40);
const full: RepoInput = {
  name: "web",
  description: "Serves pages",
  catalogTier: "CATALOG_TIER_APPLICATION",
  bundles: ["base"],
  aliases: ["httpd"],
  activeTags: ["1.27"],
  customOverlay: {
    contents: {
      packages: ["curl"],
      runtimeRepositories: ["https://packages.example"],
      runtimeKeyring: [{ name: "k.pub", content: "-----BEGIN PUBLIC KEY-----" }],
    },
    environment: { LANG: "C" },
    annotations: { a: "b" },
    accounts: {
      runAs: "web",
      users: [
        { username: "web", uid: 0, gid: 1000, groupName: "web", shell: "/bin/sh", homeDir: "/home/web" },
      ],
      groups: [{ groupname: "web", gid: 1000, members: ["web"] }],
    },
    certificates: {
      additional: [{ name: "ca.pem", content: "-----BEGIN CERTIFICATE-----" }],
      providers: ["ca"],
    },
  },
};
const changesOf = (a: RepoInput, b: RepoInput) => changesBetween(a, b, new Set(leaves(a, b)));
const stored = (body: object): Repo => ({ uid: `${SOURCE}/1`, ...body }) as Repo;
const opened = fromRepo(stored(full));
const before = toBody(opened, opened);

test("a stored repo goes through the form unchanged, and a new one is nothing but what was entered", () => {
  expect(before).toEqual(full);
  const blank = fromRepo();
  expect(toBody({ ...blank, name: " web " }, blank)).toEqual({ name: "web" });
  expect(fromRepo(stored({ name: "x", catalogTier: "CATALOG_TIER_UNSPECIFIED" })).catalogTier).toBe("");
});

test("a change names the leaves that differ; lists and maps are replaced whole", () => {
  const values = structuredClone(opened);
  values.description = "";
  values.bundles.push("extra");
  values.customOverlay.environment = { LANG: "C.UTF-8" };
  values.customOverlay.accounts.runAs = "";
  values.customOverlay.contents.packages = [];
  expect(changesOf(before, toBody(values, opened))).toEqual({
    mask: [
      "description",
      "bundles",
      "customOverlay.environment",
      "customOverlay.contents.packages",
      "customOverlay.accounts.runAs",
    ],
    body: { bundles: ["base", "extra"], customOverlay: { environment: { LANG: "C.UTF-8" } } },
  });
  expect(changesOf(before, toBody(structuredClone(opened), opened)).mask).toEqual([]);
});

test("environment and annotations are texts as they are: an empty one is a value, spaces count", () => {
  const environment = { PS1: "$ ", EMPTY: "" };
  const repo = stored({ name: "web", customOverlay: { environment, annotations: { note: " a " } } });
  const values = fromRepo(repo);
  const as = toBody(values, values);
  expect(as.customOverlay).toEqual({ environment, annotations: { note: " a " } });
  const changed = structuredClone(values);
  changed.customOverlay.environment["LANG"] = "C";
  expect(changesOf(as, toBody(changed, values)).body.customOverlay).toEqual({
    environment: { ...environment, LANG: "C" },
  });
  expect(countSet(environment, "customOverlay.environment")).toBe(2);
});

test("members that only a newer service knows stay in the rows of a list that is replaced", () => {
  const users = [{ username: "web", quota: { files: 7 } }];
  const repo = stored({ name: "web", customOverlay: { accounts: { users } } });
  const values = fromRepo(repo);
  values.customOverlay.accounts.users[0]!.shell = "/bin/sh";
  expect(toBody(values, values).customOverlay?.accounts?.users).toEqual([
    { username: "web", shell: "/bin/sh", quota: { files: 7 } },
  ]);
});

test("a copy that begins or ends is one path, a change of it names its parts", () => {
  const copy = fromRepo(stored({ name: "copy", sync_config: { source: SOURCE, uniqueTags: true } }));
  const copied = toBody(copy, copy);
  expect(copied.sync_config).toEqual({ source: SOURCE });
  const alone = structuredClone(copy);
  alone.sync_config.source = " ";
  expect(changesOf(copied, toBody(alone, copy))).toEqual({ mask: ["sync_config"], body: {} });
  const wider = structuredClone(copy);
  wider.sync_config.amazon = "ecr.example/x";
  expect(changesOf(copied, toBody(wider, copy))).toEqual({
    mask: ["sync_config.amazon"],
    body: { sync_config: { amazon: "ecr.example/x" } },
  });
});

test("what a synced repo has from its source is not sent, whatever was entered before", () => {
  const blank = fromRepo();
  const values = { ...structuredClone(blank), name: "copy", bundles: ["mine"], catalogTier: "X" };
  values.sync_config.source = SOURCE;
  expect(toBody(values, blank)).toEqual({ name: "copy", sync_config: { source: SOURCE } });
});

test("problems stand at the fields of the form, those of a list at its entry", () => {
  const values = structuredClone(opened);
  const { contents, accounts } = values.customOverlay;
  contents.runtimeRepositories.push("ftp://x");
  accounts.users.push({ ...accounts.users[0]!, username: "", uid: "many" });
  const body = toBody(values, opened);
  const { mask } = changesOf(before, body);
  expect(problemsOf(repos.request, body, mask).map(({ field }) => field)).toEqual([
    "customOverlay.contents.runtimeRepositories[1]",
    "customOverlay.accounts.users[1].username",
    "customOverlay.accounts.users[1].uid",
  ]);
});
