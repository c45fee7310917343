import { queryOptions, type QueryClient } from "@tanstack/react-query";

import { answerImage, vulnerabilitiesOf } from "~/domains/vulnerabilities/advisories/image-answer";
import { imageVerdictsQuery } from "~/domains/vulnerabilities/advisories/image-advisories";
import type { PastedItem } from "~/domains/vulnerabilities/advisories/pasted/item";
import { whyHidden, type SeenAdvisories } from "~/domains/vulnerabilities/advisories/seen";
import { tagsHereQuery, type TagsHere } from "~/domains/vulnerabilities/advisories/tags-here";
import type { Status } from "~/domains/vulnerabilities/advisories/verdict";
import { limiter } from "~/api/paging/limiter";
import { referenceText, repoPath } from "~/domains/registry/references/pull-reference";
import { parseReference, type PullReference } from "~/domains/registry/references/reference-text";
import { call } from "~/api/client/client";
import { groupQuery } from "~/frame/scope/group-ancestry";
import { rootOf } from "platform-contract/aip";
import { repos } from "platform-contract/registry/repos";
import { tags } from "platform-contract/registry/tags";
import type { Scope } from "~/frame/scope/scope";
import { elsewhere, verdictQuery } from "~/domains/registry/manifests/check";
import type { BadgeTone } from "~/ui/display/badge";
import { formatQuantity } from "~/ui/display/numbers";

import { answerQuery, containedIn, ofPackage, soughtBy, type AffectedAnswer } from "./data";
import { answerHere, judge, noAdvisory, ofAll, unansweredIn, worstAnswer } from "./summary";

/** The answer to one question in a few words. */
export interface Short {
  readonly tone: BadgeTone;
  readonly text: string;
}

const unknown = (why: string): Short => ({ tone: "warning", text: `Unknown: ${why}` });
const WORDS = {
  affected: { tone: "danger", text: "Affected" },
  unknown: unknown("the version can't be decided"),
  not_affected: { tone: "success", text: "Not affected" },
} as const satisfies Readonly<Record<string, Short>>;

/**
 * Answers what was asked about a vulnerability or a package. Only an id alone can be answered by "no advisory here".
 * @param here what is known of the tags in the scope; a question that names a version needs none
 */
export function shortAnswer(
  item: PastedItem,
  answer: AffectedAnswer,
  here: TagsHere = { why: "" },
  hidden?: string,
): Short {
  const { advisories, partial, id } = answer;
  const { name, word } = item;
  const contained = containedIn(item, answer);
  const version = contained === undefined ? item.version : undefined;
  const named = name ?? (id === undefined ? word : undefined);
  const own = ofPackage(item, answer);
  if (advisories.length === 0) {
    if (name === undefined && word === undefined && hidden === undefined)
      return { tone: "warning", text: "No advisory here" };
    return unknown(`${noAdvisory(hidden)} ${item.id === undefined ? "is about it" : "has this id"}`);
  }
  if (own.length === 0)
    return unknown(
      id === undefined
        ? "the advisories about it are for other builds"
        : "the advisories with this id name other packages",
    );
  if (version !== undefined) {
    const worst = worstAnswer(own);
    if (worst !== "affected" && partial) return unknown("there are too many advisories");
    if (worst !== "not_affected") return WORDS[worst];
    if (hidden !== undefined) return unknown(hidden);
    const text = `Not affected by ${formatQuantity(own.length, "advisory", "advisories")}`;
    const [gap] = unansweredIn(own).keys();
    return gap === undefined
      ? { tone: "success", text }
      : { tone: "neutral", text: `${text}, not all about ${gap}` };
  }
  const judged = judge(own);
  const { state, tags: count, holds, of } = answerHere({ judged, here, hidden });
  if (state === "affected") return { tone: "danger", text: `Affected: ${ofAll(count, of)}` };
  if (partial) return unknown("there are too many advisories");
  if (state === "not_affected") return WORDS.not_affected;
  if (state === "none")
    return {
      tone: "neutral",
      text: of === undefined ? "None known" : `None known of ${formatQuantity(of, "tag")}`,
    };
  if (count > 0)
    return { tone: "warning", text: `${holds ? "Not decided" : "Unknown"} for ${ofAll(count, of)}` };
  if (contained !== undefined)
    return unknown(`${formatQuantity(own.length, "advisory", "advisories")} about what contains it`);
  if (named !== undefined && item.id === undefined)
    return unknown(`${formatQuantity(own.length, "advisory", "advisories")}; add the version`);
  const [status = "under_investigation"] = [...judged].flatMap(([one, some]) =>
    some.length > 0 ? [one] : [],
  );
  return unknown(`by advisories ${STATED[status]}; not compared with images`);
}
const STATED: Readonly<Record<Status, string>> = {
  affected: "affected",
  under_investigation: "under investigation",
  fixed: "fixed in newer versions",
  not_affected: "not affected",
};

/** The image of a repo here that has the name of one elsewhere. */
export interface Namesake {
  /** What to write for it: `registry.example/acme/nginx:1.27`. */
  readonly reference: string;
}

export interface ImageFound extends Short {
  /** In a text without a registry: what here has the same name. */
  readonly namesakes?: readonly Namesake[];
  /** Uid of the tag that names the image. */
  readonly tag?: string | undefined;
  /** Uid of the repo that it can be in. */
  readonly repo?: string | undefined;
  /** The vulnerabilities that affect it, worst first as its page has them. */
  readonly vulnerabilities?: readonly string[];
}

/** How many repos of one name to look into. */
const MOST_NAMESAKES = 5;

/** The tags here of the name that an image of Docker Hub has: repos are often named after what they are built from. */
async function namesakesOf(
  { path, tag = "latest" }: PullReference,
  registryHost: string | undefined,
  client: QueryClient,
  signal: AbortSignal,
): Promise<Namesake[]> {
  const name = path.at(-1) ?? "";
  const { items } = await call(repos.list, { query: { name, page_size: MOST_NAMESAKES }, signal });
  const found = await Promise.all(
    items.map(async ({ uid }) => {
      const query = { "uidp.children_of": uid, name: tag };
      const [organization, named] = await Promise.all([
        client.ensureQueryData(groupQuery(rootOf(uid))).catch(() => undefined),
        call(tags.list, { query, signal }),
      ]);
      const at = organization && repoPath(organization.name, name, organization.namespace);
      return at !== undefined && named.items.some((one) => one.name === tag)
        ? [{ reference: referenceText({ host: registryHost, path: at, name: { tag } }) }]
        : [];
    }),
  );
  return found.flat();
}

/** Looks up an image, and what the advisories say of its packages. */
export const imageQuery = (
  image: string,
  registryHost: string | undefined,
  seen: SeenAdvisories,
  client: QueryClient,
) =>
  queryOptions({
    queryKey: ["advisories", "asked image", { image, registryHost, seen }] as const,
    queryFn: async ({ signal }): Promise<ImageFound> => {
      const reference = parseReference(image);
      if (!reference) return unknown("this is no image reference");
      const away = elsewhere(reference, registryHost);
      if (away !== undefined && reference.host !== undefined) return unknown("it is from another registry");
      if (away !== undefined)
        return {
          ...unknown("without a registry in its name, it is an image of Docker Hub"),
          namesakes: await namesakesOf(reference, registryHost, client, signal),
        };
      const { tag, repo, isThis, why } = await client.fetchQuery(verdictQuery(reference, client));
      if (!tag || isThis !== true)
        return { ...unknown(tag ? "no tag has this image now" : lowerFirst(why)), repo };
      const found = await client.fetchQuery(imageVerdictsQuery(tag.uid));
      const { state, affected, text } = answerImage(found, whyHidden(seen, [tag.uid]));
      const tone = (
        { affected: "danger", unknown: "warning", not_affected: "success", none: "neutral" } as const
      )[state];
      return {
        tone,
        text:
          state === "affected"
            ? `Affected by ${lowerFirst(text)} ${affected === 1 ? "vulnerability" : "vulnerabilities"}`
            : text,
        tag: tag.uid,
        vulnerabilities: vulnerabilitiesOf(found.verdicts, "affected"),
      };
    },
    staleTime: 30_000,
  });

const lowerFirst = (text: string): string =>
  (/^[A-Z][a-z]/.test(text) ? text[0]?.toLowerCase() + text.slice(1) : text).replace(/\.$/, "");

interface Asked {
  readonly scope: Scope;
  readonly registryHost: string | undefined;
  /** Why the packages of images can't be asked about; undefined if they can. */
  readonly untold: string | undefined;
  /** Why advisories can be hidden; undefined if they can't. */
  readonly hidden: string | undefined;
  readonly seen: SeenAdvisories;
}

/** The answer to one question in short. Reads by the queries of the page, which then has it. */
export const questionQuery = (item: PastedItem, asked: Asked, client: QueryClient) =>
  queryOptions({
    queryKey: ["advisories", "question", { item, ...asked }] as const,
    queryFn: async ({ signal }): Promise<ImageFound> => {
      const { scope, registryHost, untold, hidden, seen } = asked;
      if (item.image !== undefined)
        return client.fetchQuery(imageQuery(item.image, registryHost, seen, client));
      const answer = await client.fetchQuery(answerQuery(scope, item, untold, client));
      const isDecided = item.version !== undefined && containedIn(item, answer) === undefined;
      const sought = isDecided ? undefined : soughtBy(item, answer);
      const here: TagsHere =
        sought && untold === undefined
          ? await limited(() => client.fetchQuery(tagsHereQuery(sought, scope.group, client)), signal)
          : { why: untold ?? "" };
      return shortAnswer(item, answer, here, hidden);
    },
    staleTime: 30_000,
  });

/** Counting tags takes several requests for each question. */
const limited = limiter(2);
