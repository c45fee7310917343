import { queryOptions } from "@tanstack/react-query";

import { call } from "~/api/client/client";
import type { QueryFacts } from "~/api/client/request-info";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import type { ImagePackages } from "platform-contract/vulnerabilities/image-packages";
import {
  advisories,
  type Advisory,
  type InstalledVersion,
} from "platform-contract/vulnerabilities/advisories";

import { answerOf, ANSWERS } from "./installed";
import { verdictOf } from "./verdict";

/** Maximum number of pages to read. */
const PAGES = 10;

/** One package of an image, and what an advisory says of its version. */
export interface PackageVerdict {
  readonly advisory: Advisory;
  readonly installed: InstalledVersion;
}

export interface ImageVerdicts {
  /** Worst first. */
  readonly verdicts: readonly PackageVerdict[];
  /** Which packages these are about; undefined if the service doesn't tell. */
  readonly about: ImagePackages | undefined;
  /** True if all advisories were read. */
  readonly whole: boolean;
}

/** What the advisories say of the packages in the image that a tag names. */
export function imageVerdictsQuery(tag: string) {
  const query = { tagUid: tag, order_by: "name", page_size: PAGE_SIZE_MAX };
  return queryOptions({
    queryKey: [advisories.collection, "image", query] as const,
    meta: { requests: () => [{ endpoint: advisories.list, query }] } satisfies QueryFacts,
    queryFn: async ({ signal }): Promise<ImageVerdicts> => {
      const found: Advisory[] = [];
      let about: ImagePackages | undefined;
      let token: string | undefined;
      for (let page = 0; page < PAGES; page += 1) {
        const asked = { ...query, ...(token !== undefined && { page_token: token }) };
        // oxlint-disable-next-line no-await-in-loop -- each page needs the token of the page before
        const { items, imagePackages, nextPageToken } = await call(advisories.list, { query: asked, signal });
        // A service without this filter answers with all advisories.
        if (imagePackages?.known !== true) return { verdicts: [], about: imagePackages, whole: true };
        about = imagePackages;
        found.push(...items);
        token = nextPageToken;
        if (!token) break;
      }
      const verdicts = found.flatMap((advisory) =>
        (advisory.installedVersions ?? []).map((installed) => ({ advisory, installed })),
      );
      const rank = ({ installed }: PackageVerdict) => ANSWERS.indexOf(answerOf(installed));
      return { verdicts: verdicts.toSorted((one, other) => rank(one) - rank(other)), about, whole: !token };
    },
  });
}

const EVENT_OF = {
  affected: { truePositiveDetermination: {} },
  unknown: { detection: { manual: {} } },
} as const;

/** The same as statements about the image itself, with its packages as components: for export. */
export const asStatements = (
  packages: readonly PackageVerdict[],
  image: { readonly name: string; readonly digest: string },
): Advisory[] =>
  packages.map(({ advisory, installed }) => {
    const answer = answerOf(installed);
    const { event, status } = verdictOf(advisory);
    const fixed = { fixed: { fixedVersion: installed.version ?? "" } };
    const spared = {
      falsePositiveDetermination: event?.falsePositiveDetermination ?? {
        type: "TYPE_VULNERABLE_CODE_VERSION_NOT_USED",
      },
    };
    return {
      ...advisory,
      artifactName: image.name,
      artifactType: "image",
      artifactArchitecture: installed.architecture ?? "",
      componentName: installed.packageName ?? "",
      componentType: advisory.artifactType ?? "",
      componentLocation: "",
      appliesTo: image.digest,
      events: [
        {
          uid: event?.uid ?? advisory.uid,
          createTime: event?.createTime,
          reviewState: "REVIEW_STATE_APPROVED",
          ...(answer === "not_affected" ? (status === "fixed" ? fixed : spared) : EVENT_OF[answer]),
        },
      ],
    };
  });
