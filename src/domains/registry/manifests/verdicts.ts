import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";

import { useCan } from "~/frame/permissions/use-can";
import { advisories } from "platform-contract/vulnerabilities/advisories";
import {
  imageVerdictsQuery,
  type ImageVerdicts,
} from "~/domains/vulnerabilities/advisories/image-advisories";
import { answerImage } from "~/domains/vulnerabilities/advisories/image-answer";

import { useSeenAdvisories, whyHidden, type SeenAdvisories } from "~/domains/vulnerabilities/advisories/seen";
import { elsewhere, verdictQuery, type ImageVerdict } from "./check";
import type { Manifest, Use } from "./read";

/** A place that names an image, and what the registry says of it. */
export interface ManifestRow {
  readonly id: string;
  readonly file: string;
  readonly use: Use;
  /** Undefined while it is read. */
  readonly verdict: ImageVerdict | undefined;
  readonly error: unknown;
  /** How many vulnerabilities affect the image; undefined if that isn't known. */
  readonly affected: number | undefined;
  /** Why it isn't known, or the count in words. */
  readonly affectedText: string;
}

const UNREADABLE = {
  variable: "Part of it is a variable without a default.",
  template: "A template fills it in.",
  reference: "This isn't an image reference.",
} as const;

/** Images of this many tags are read; the others say so. */
const IMAGES = 50;

/** What the registry and the advisories say of everything that manifests name; one request for what is named twice. */
export function useVerdicts(manifests: readonly Manifest[]): {
  rows: readonly ManifestRow[];
  retry: () => void;
} {
  const client = useQueryClient();
  const { registryHost } = useRouteContext({ from: "__root__" }).config;
  const { allowed } = useCan(advisories.list, undefined);
  const seen = useSeenAdvisories();
  const uses = manifests.flatMap(({ source, uses: of }, file) =>
    of.map((use, index) => ({ id: `${file} ${index}`, file: source.name, use })),
  );
  const asked = [
    ...new Map(
      uses.flatMap(({ use: { reference } }) =>
        reference && elsewhere(reference, registryHost) === undefined
          ? [[JSON.stringify(reference), reference] as const]
          : [],
      ),
    ),
  ];
  const answers = useQueries({ queries: asked.map(([, reference]) => verdictQuery(reference, client)) });
  const answerTo = new Map(asked.map(([key], index) => [key, answers[index]]));
  const read = [
    ...new Set(answers.flatMap(({ data }) => (data?.tag && data.isThis === true ? [data.tag.uid] : []))),
  ].slice(0, IMAGES);
  const images = useQueries({
    queries: read.map((tag) => ({ ...imageVerdictsQuery(tag), enabled: allowed })),
  });
  const imageOf = new Map(read.map((tag, index) => [tag, images[index]]));

  const rows = uses.map((each): ManifestRow => {
    const { reference, unreadable } = each.use;
    const nothing = { ...each, error: null, affected: undefined, affectedText: "Unknown" };
    if (!reference)
      return { ...nothing, verdict: { state: "unknown", why: UNREADABLE[unreadable ?? "reference"] } };
    const away = elsewhere(reference, registryHost);
    if (away !== undefined) return { ...nothing, verdict: { state: "elsewhere", why: away } };
    const { data: verdict, error = null } = answerTo.get(JSON.stringify(reference)) ?? {};
    const image = verdict?.tag && imageOf.get(verdict.tag.uid);
    return { ...nothing, verdict, error, ...affectedBy(verdict, allowed, seen, image) };
  });
  const retry = () => {
    for (const query of [...answers, ...images]) if (query.isError) void query.refetch();
  };
  return { rows, retry };
}

/** While the advisories of an image are read. */
export const READING = "Reading…";

interface Image {
  readonly data: ImageVerdicts | undefined;
  readonly isError: boolean;
}

function affectedBy(
  verdict: ImageVerdict | undefined,
  allowed: boolean,
  seen: SeenAdvisories,
  image: Image | undefined,
): Pick<ManifestRow, "affected" | "affectedText"> {
  const unknown = (affectedText: string) => ({ affected: undefined, affectedText });
  if (!verdict) return unknown("");
  if (!verdict.tag) return unknown(verdict.state === "elsewhere" ? "" : "Unknown");
  if (!allowed) return unknown("Hidden by your role");
  if (verdict.isThis !== true) return unknown("Unknown: no tag has this image now");
  if (!image) return unknown(`Unknown: only the first ${IMAGES} images are read`);
  if (image.isError) return unknown("Unknown: couldn't be read");
  if (!image.data) return unknown(READING);
  const { state, affected, text } = answerImage(image.data, whyHidden(seen, [verdict.tag.uid]));
  return state === "unknown" ? unknown(text) : { affected, affectedText: text };
}
