import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { connect } from "~/api/client/client";
import { parentOf } from "platform-contract/aip";
import { kinds } from "platform-contract/kinds";

import { locate } from "./locate";
import { readPasted } from "./pasted";

const BASE = "https://console.example/";
const ASKED = ["groups", "identities", "roles", "repos", "tags", "advisories"];
const below = (parent: string, index: number) => `${parent}/${index.toString(16).padStart(16, "0")}`;

const org = "a".repeat(40);
const other = "b".repeat(40);
const nobody = "d".repeat(40);
const team = below(org, 1);
const unseen = below(team, 9);
const python = below(org, 2);
const tag = below(python, 3);
const digest = `sha256:${"ab".repeat(32)}`;
const nowhere = `sha256:${"cd".repeat(32)}`;

type Fake = { readonly uid: string } & Readonly<Record<string, string | readonly string[]>>;

/** The fake service's records, by collection. */
const HELD: Readonly<Record<string, readonly Fake[]>> = {
  groups: [
    { uid: org, name: "Meridian Freight" },
    { uid: other, name: "Other" },
    { uid: team, name: "team" },
  ],
  identities: [{ uid: below(team, 4), name: "python" }],
  roles: [{ uid: "c".repeat(40), name: "python" }],
  repos: [
    ...[python, below(other, 2)].map((uid) => ({ uid, name: "python" })),
    ...Array.from({ length: 7 }, (_, index) => ({ uid: below(team, 20 + index), name: "crowd" })),
  ],
  tags: [
    { uid: tag, name: "3.12", digest },
    ...Array.from({ length: 6 }, (_, index) => ({ uid: below(below(other, 2), index), name: "many" })),
  ],
  advisories: [
    {
      uid: below(org, 5),
      componentName: "zlib",
      aliases: ["CVE-2026-12345", "GHSA-2345-cfgh-jmpq", "CGA-2345-6789-cfgh"],
      advisoryIds: ["CGA-2345-6789-cfgh"],
    },
  ],
};

/** Readable names for uids and digests in the expectations. */
const CALLED: readonly (readonly [value: string, name: string])[] = [
  [nowhere, "NOWHERE"],
  [digest, "DIGEST"],
  [tag, "TAG"],
  [python, "PYTHON"],
  [below(other, 2), "OTHERS"],
  [unseen, "UNSEEN"],
  [team, "TEAM"],
  [org, "ORG"],
  [other, "OTHER"],
];
const called = (text: string): string =>
  CALLED.reduce((said, [value, name]) => said.replaceAll(value, name), text);

let asked: string[];
let failing: readonly string[];

function serve(address: string): Response {
  const { pathname, searchParams } = new URL(address);
  const [, , , collection = "", ...steps] = pathname.split("/");
  const uid = steps.join("/");
  asked.push(called(decodeURIComponent(`${collection}${uid && `/${uid}`} ${searchParams}`).trim()));
  if (failing.includes(collection)) return Response.json({ code: 13, message: "no" }, { status: 500 });
  const all = HELD[collection] ?? [];
  if (uid) return Response.json(all.find((each) => each.uid === uid));
  const { page_size, ...wanted } = Object.fromEntries(
    [...searchParams.keys()]
      .filter((key) => !key.startsWith("include"))
      .map((key) => [key, searchParams.getAll(key)]),
  );
  const fits = (each: Fake) =>
    Object.entries(wanted).every(([key, values]) => {
      if (key === "uidp.children_of") return values.includes(parentOf(each.uid));
      const held = each[key === "uidp.ids" ? "uid" : key] ?? [];
      return [held].flat().some((value) => values.includes(value));
    });
  const rows = all.filter(fits);
  return Response.json({ [collection]: rows.slice(0, Number(page_size)), totalCount: `${rows.length}` });
}

beforeEach(() => {
  asked = [];
  failing = [];
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
  vi.stubGlobal("fetch", async (address: string) => serve(address));
});
afterEach(() => vi.unstubAllGlobals());

/** Locates a text for a user who cannot list the kinds in `without`; formats each record as one line. */
async function lead(text: string, without: readonly string[] = []) {
  const { found, more, notes } = await locate(readPasted(text, BASE), {
    client: new QueryClient({ defaultOptions: { queries: { networkMode: "always" } } }),
    kinds: kinds.filter(({ collection }) => ASKED.includes(collection) && !without.includes(collection)),
    registryHost: "https://registry.example/",
    signal: new AbortController().signal,
  });
  return {
    asked: asked.toSorted(),
    found: found.map(({ collection, name, place }) => called(`${collection} ${name} in ${place || "-"}`)),
    more: more.map(({ kind, count, search }) => called(`${count} ${kind.plural} ${JSON.stringify(search)}`)),
    notes: notes.map(called),
  };
}

/** The same query to several lists. */
const each = (query: string, ...collections: string[]): string[] =>
  collections.map((collection) => `${collection} ${query}`);
/** The request for the names of the groups above the results. */
const names = (...uids: string[]): string =>
  `groups ${uids.map((uid) => `uidp.ids=${uid}`).join("&")}&page_size=50`;

const SHALLOW = ["advisories", "groups", "identities", "repos", "roles"];
const ALL = [...SHALLOW, "tags"];
const byUid = (uid: string) => each(`uidp.ids=${uid}&page_size=5`, ...SHALLOW);
/** Also build tags, dated tags and signatures. */
const tagsById = (uid: string) =>
  `tags uidp.ids=${uid}&includeDates=true&includeEpochs=true&includeReferrers=true&page_size=5`;
const byName = (name: string) =>
  each(`name=${name}&page_size=5`, "groups", "identities", "repos", "roles", "tags");
const about = (id: string) => [
  `advisories advisoryIds=${id}&page_size=5`,
  `advisories aliases=${id}&page_size=5`,
];
const tagsIn = (repo: string, query: string) => `tags uidp.children_of=${repo}&${query}&page_size=5`;
const ABOVE = "groups uidp.ids=ORG&uidp.ids=TEAM&page_size=2";
const NAMESAKES = "repos name=python&page_size=200";
/** The organizations are read to match the first part of the path. */
const REPOS = [NAMESAKES, "groups/ORG", "groups/OTHER"];
const BY_TAG = [...REPOS, tagsIn("PYTHON", "name=3.12")];
const repoNames = (uid: string) => `repos uidp.ids=${uid}&page_size=50`;

const ORG = "groups Meridian Freight in -";
const TEAM = "groups team in Meridian Freight";
const MINE = "repos python in Meridian Freight";
const THEIRS = "repos python in Other";
const TAGGED = "tags python:3.12 in Meridian Freight";
const MANY = Array.from({ length: 5 }, () => "tags python:many in Other");
const ADVISORY = "advisories zlib in Meridian Freight";
const PYTHONS = ["identities python in Meridian Freight / team", "roles python in -", MINE, THEIRS];
const PARTIAL = "This is only part of a uid. Enter the whole one.";

const WHOLE_DIGEST =
  "Enter a whole digest: sha256: followed by 64 hex digits. Pressing a short one in a list copies it.";

it.each<[what: string, text: string, asked: string[], found?: string[], notes?: string[], more?: string[]]>([
  ["a tag's uid", tag, [...byUid("TAG"), tagsById("TAG"), names("ORG"), repoNames("PYTHON")], [TAGGED]],
  // Tags are deeper in the hierarchy.
  ["an organization's, in an address", `https://x.example/groups/${org}?tab=a`, byUid("ORG"), [ORG]],
  ["a repo's uid, quoted", `"${python}",`, [...byUid("PYTHON"), names("ORG")], [MINE]],
  [
    "the uid of nothing: the nearest group that can be read",
    unseen,
    [...byUid("UNSEEN"), tagsById("UNSEEN"), ABOVE, names("ORG")],
    [TEAM],
    ["No record that you can see has this uid. Nearest group:"],
  ],
  ["an organization's that is none", nobody, byUid(nobody), [], ["No record that you can see has this uid."]],
  [
    "half a uid",
    `${team}/0`,
    [...byUid("TEAM"), names("ORG")],
    [TEAM],
    [`${PARTIAL} It starts with the uid of:`],
  ],
  [
    "both ends of a uid",
    "aaaaaaaa…0000000000000001",
    [],
    [],
    [PARTIAL.replace("a uid", "a uid or a digest")],
  ],
  [
    "a digest",
    "AB".repeat(32),
    ["tags digest=DIGEST&page_size=5", names("ORG"), repoNames("PYTHON")],
    [TAGGED],
  ],
  [
    "that of nothing",
    nowhere,
    ["tags digest=NOWHERE&page_size=5"],
    [],
    ["No tag that you can see has this digest."],
  ],
  ["half a digest", "sha256:ab", [], [], [WHOLE_DIGEST]],
  ["a reference", "docker pull registry.example/meridian-freight/python:3.12", BY_TAG, [TAGGED]],
  ["one without a tag", "meridian-freight/python", REPOS, [MINE]],
  [
    "one without an organization: any repo of that name",
    "python:many",
    [NAMESAKES, tagsIn("OTHERS", "name=many"), tagsIn("PYTHON", "name=many"), names("OTHER")],
    MANY,
  ],
  [
    "one to another registry",
    "ghcr.example/meridian-freight/python:3.12",
    BY_TAG,
    [TAGGED],
    ["ghcr.example is not this registry (https://registry.example/)."],
  ],
  [
    "one to a repo that another organization has",
    "acme/python:3.12",
    REPOS,
    [MINE, THEIRS],
    ["No repo that you can see is acme/python.", "Under “Found” are repos with the name python."],
  ],
  [
    "one to no repo",
    "a/ruby",
    ["repos name=ruby&page_size=200"],
    [],
    ["No repo that you can see is a/ruby."],
  ],
  [
    "one to a tag that is none",
    "meridian-freight/python:9",
    [...REPOS, tagsIn("PYTHON", "name=9")],
    [MINE],
    ["meridian-freight/python has no tag 9. The repo:"],
  ],
  [
    "one with a digest: that decides, not the tag",
    `meridian-freight/python:9@${digest}`,
    [...REPOS, tagsIn("PYTHON", "digest=DIGEST")],
    [TAGGED],
  ],
  [
    "one with a digest of nothing",
    `meridian-freight/python@${nowhere}`,
    [...REPOS, tagsIn("PYTHON", "digest=NOWHERE")],
    [MINE],
    ["meridian-freight/python has no tag with this digest. The repo:"],
  ],
  ["a CVE", "cve-2026-12345", [...about("CVE-2026-12345"), names("ORG")], [ADVISORY]],
  [
    "a GHSA",
    "https://x.example/GHSA-2345-CFGH-JMPQ",
    [...about("GHSA-2345-cfgh-jmpq"), names("ORG")],
    [ADVISORY],
  ],
  ["an advisory's own id", "cga-2345-6789-CFGH", [...about("CGA-2345-6789-cfgh"), names("ORG")], [ADVISORY]],
  ["a CVE of none", "CVE-2026-9999", about("CVE-2026-9999"), [], ["No visible advisory mentions this id."]],
  ["half a CVE", "CVE-2026", [], [], ["Enter a whole id: CVE-2026-12345 or GHSA-2345-cfgh-jmpq."]],
  ["a name in several kinds", "python", [...byName("python"), names("ORG", "TEAM", "OTHER")], PYTHONS],
  [
    "a name that more have than are shown",
    "many",
    [...byName("many"), names("OTHER"), repoNames("OTHERS")],
    MANY,
    [],
    ['6 tags {"name":"many"}'],
  ],
  ["a name of nothing", "ruby", byName("ruby")],
  [
    "the digits of a digest in a list",
    "bb57bc6e4a8a",
    [],
    [],
    [PARTIAL.replace("a uid", "a uid or a digest")],
  ],
  [
    "a token",
    "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.",
    [],
    [],
    ["This is a token. It wasn't sent or stored."],
  ],
  ["too much", "long ".repeat(70), [], [], ["This is too long for a name, uid, or reference."]],
  ["an address of this console", `${BASE}repos`, []],
  ["nothing", "  ", []],
])("%s", async (_, text, questions, found = [], notes = [], more = []) => {
  expect(await lead(text)).toEqual({ asked: questions.toSorted(), found, notes, more });
});

it.each([
  ["tags", digest, "You need permission to list tags to search by digest."],
  ["repos", "acme/python:3", "You need permission to list repos to search for an image."],
])("without permission to list %s nothing is asked", async (collection, text, note) => {
  expect(await lead(text, [collection])).toEqual({ asked: [], found: [], more: [], notes: [note] });
});

it("skips kinds that can't be listed, and offers a repo for its tags", async () => {
  expect(await lead("python", ["identities", "roles", "tags"])).toMatchObject({ found: [MINE, THEIRS] });
  expect(asked.filter((each) => each.includes("name=")).toSorted()).toEqual(
    each("name=python&page_size=5", "groups", "repos"),
  );
  expect(await lead("meridian-freight/python:3.12", ["tags"])).toMatchObject({ found: [MINE], notes: [] });
});

it.each(["crowd:1", "meridian-freight/crowd", "acme/crowd:1"])("%s fits seven repos", async (text) => {
  const found = Array.from({ length: 5 }, () => "repos crowd in Meridian Freight / team");
  const five = { found, more: ['7 repos {"name":"crowd"}'] };
  expect([await lead(text), await lead(text, ["tags"])]).toMatchObject([five, five]);
});

it("says of a tag that it isn't in the repos it looked in, not that no repo has it", async () => {
  const { notes } = await lead("crowd:1");
  expect(notes).toEqual(["None of the first 5 repos named crowd has tag 1. The repos:"]);
});

it("names the kind that failed, and fails only if all do", async () => {
  failing = ["roles"];
  expect(await lead("python")).toMatchObject({
    found: PYTHONS.filter((each) => !each.startsWith("roles")),
    notes: ["Couldn't be searched: roles."],
  });
  failing = ALL;
  await expect(lead("python")).rejects.toMatchObject({ http: 500 });
});
