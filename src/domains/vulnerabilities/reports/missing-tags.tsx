import { useQueries } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { total } from "~/api/queries/queries";
import { ALL_KINDS, tags as tagKind } from "platform-contract/registry/tags";
import { DEFAULT_TAG, type Image } from "~/domains/vulnerabilities/vulnerability-reports/images";
import { formatQuantity } from "~/ui/display/numbers";
import { shorten } from "~/ui/display/shorten";
import { Notice } from "~/ui/feedback/notice";
import { repoNameQuery } from "~/domains/registry/references/repo-names";

/** Names the tags of which the report can't know anything; each is `<uid of its repo>:<tag>`. */
export function UnknownTags({ tags }: { readonly tags: readonly string[] }): ReactNode {
  const asked = tags.map((text) => {
    const [repo = "", tag = ""] = text.split(":");
    return { repo, tag };
  });
  const names = useQueries({ queries: asked.map(({ repo }) => repoNameQuery(repo)) });
  if (tags.length === 0) return null;
  const named = asked.map(({ repo, tag }, index) => `${names[index]?.data?.name ?? shorten(repo)}:${tag}`);
  return (
    <Notice tone="warning" title={`Unknown for ${formatQuantity(tags.length, "tag")}`}>
      <bdi>{named.join(", ")}</bdi>. Without an image in these days whose packages are known, nothing can be
      reported as resolved.
    </Notice>
  );
}

/** Names the tags that don't exist: the report silently omits them. */
export function MissingTags({ images }: { readonly images: readonly Image[] }): ReactNode {
  const asked = images.flatMap(({ repo, tags }) =>
    (tags.length === 0 ? [DEFAULT_TAG] : tags).map((tag) => ({ repo, tag })),
  );
  const counts = useQueries({
    queries: asked.map(({ repo, tag }) =>
      total(tagKind.list, { "uidp.children_of": repo, name: tag, ...ALL_KINDS }),
    ),
  });
  const names = useQueries({ queries: asked.map(({ repo }) => repoNameQuery(repo)) });
  const missing = asked.flatMap(({ repo, tag }, index) =>
    counts[index]?.data === 0 ? [`${names[index]?.data?.name ?? shorten(repo)}:${tag}`] : [],
  );
  if (missing.length === 0) return null;
  return (
    <Notice
      tone="warning"
      title={missing.length === 1 ? "This tag doesn't exist now" : "These tags don't exist now"}
    >
      <bdi>{missing.join(", ")}</bdi>. The report counts them only on days when they existed.
    </Notice>
  );
}
