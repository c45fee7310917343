import { queryOptions, type QueryClient } from "@tanstack/react-query";

import { answerImage } from "~/domains/vulnerabilities/advisories/image-answer";
import { imageVerdictsQuery } from "~/domains/vulnerabilities/advisories/image-advisories";
import type { PastedItem } from "~/domains/vulnerabilities/advisories/pasted/item";
import { STATUS_WORDS } from "~/domains/vulnerabilities/advisories/verdict";
import { parseReference } from "~/domains/registry/references/reference-text";
import type { Scope } from "~/frame/scope/scope";
import { elsewhere, verdictQuery } from "~/domains/registry/manifests/check";
import type { BadgeTone } from "~/ui/display/badge";
import { formatQuantity } from "~/ui/display/numbers";

import { answerQuery, ofPackage, type AffectedAnswer } from "./data";
import { judge, worstAnswer } from "./summary";

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
const TONES = {
  affected: "danger",
  under_investigation: "warning",
  fixed: "neutral",
  not_affected: "success",
} as const;

/** Answers what was asked about a vulnerability or a package. Only an id alone can be answered by "no advisory here". */
export function shortAnswer(item: PastedItem, { advisories, partial, id }: AffectedAnswer): Short {
  const { name, word, version } = item;
  const named = name ?? (id === undefined ? word : undefined);
  const own = ofPackage(item, advisories);
  if (advisories.length === 0) {
    if (name === undefined && word === undefined) return { tone: "warning", text: "No advisory here" };
    return unknown(item.id === undefined ? "no advisory here is about it" : "no advisory here has this id");
  }
  if (own.length === 0) return unknown("the advisories with this id name other packages");
  if (version !== undefined) {
    const answer = worstAnswer(own);
    return partial && answer !== "affected" ? unknown("there are too many advisories") : WORDS[answer];
  }
  if (named !== undefined && item.id === undefined)
    return unknown(`${formatQuantity(own.length, "advisory", "advisories")}; add the version`);
  const [status = "under_investigation"] = [...judge(own)].flatMap(([one, some]) =>
    some.length > 0 ? [one] : [],
  );
  if (partial && status !== "affected") return unknown("there are too many advisories");
  return {
    tone: TONES[status],
    text: status === "fixed" ? "Fixed; older versions are affected" : STATUS_WORDS[status],
  };
}

export interface ImageFound extends Short {
  /** Uid of the tag that names the image. */
  readonly tag?: string | undefined;
}

/** Looks up an image, and what the advisories say of its packages. */
export const imageQuery = (image: string, registryHost: string | undefined, client: QueryClient) =>
  queryOptions({
    queryKey: ["advisories", "asked image", { image, registryHost }] as const,
    queryFn: async (): Promise<ImageFound> => {
      const reference = parseReference(image);
      if (!reference) return unknown("this is no image reference");
      const away = elsewhere(reference, registryHost);
      if (away !== undefined) return unknown("it is from another registry");
      const { tag, isThis, why } = await client.fetchQuery(verdictQuery(reference, client));
      if (!tag || isThis !== true) return unknown(tag ? "no tag has this image now" : lowerFirst(why));
      const { state, text } = answerImage(await client.fetchQuery(imageVerdictsQuery(tag.uid)));
      const tone = (
        { affected: "danger", unknown: "warning", not_affected: "success", none: "neutral" } as const
      )[state];
      return { tone, text: state === "affected" ? `Affected: ${text} advisories` : text, tag: tag.uid };
    },
    staleTime: 30_000,
  });

const lowerFirst = (text: string): string =>
  (/^[A-Z][a-z]/.test(text) ? text[0]?.toLowerCase() + text.slice(1) : text).replace(/\.$/, "");

/** The answer to one question in short. Reads by the queries of the page, which then has it. */
export const questionQuery = (
  item: PastedItem,
  scope: Scope,
  registryHost: string | undefined,
  client: QueryClient,
) =>
  queryOptions({
    queryKey: ["advisories", "question", { scope, item, registryHost }] as const,
    queryFn: async (): Promise<ImageFound> =>
      item.image === undefined
        ? shortAnswer(item, await client.fetchQuery(answerQuery(scope, item)))
        : client.fetchQuery(imageQuery(item.image, registryHost, client)),
    staleTime: 30_000,
  });
