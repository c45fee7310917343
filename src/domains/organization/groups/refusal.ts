import type { ApiError } from "platform-client/errors";
import { wordsInside } from "platform-contract/kinds";
import type { DeletionRefusal } from "~/ui/overlay/confirm-delete";
import { asSentence } from "~/ui/display/as-sentence";
import type { LinkTarget } from "~/ui/layout/link";
import { childrenIn, uncountedIn, type ChildCounts } from "./child-kinds";

/** The PreconditionFailure type for a group that is not empty. */
const NOT_EMPTY = "RESOURCE_NOT_EMPTY";

type Refused = Pick<ApiError, "preconditions"> & Partial<Pick<ApiError, "blockingCollections" | "requestId">>;

export const isNotEmpty = ({ preconditions }: Pick<Refused, "preconditions">): boolean =>
  preconditions.some(({ type }) => type === NOT_EMPTY);

/**
 * Explains why a group was not deleted: the blockers by the console's own count, with links, and the lapsing kinds that
 * the service names. Adds the service's descriptions if that can be incomplete: none found, a kind not counted, or
 * something that may have lapsed.
 */
export function refusalOf(
  counts: ChildCounts,
  { preconditions, blockingCollections, requestId }: Refused,
  listOf: (collection: string) => LinkTarget | undefined,
): DeletionRefusal {
  const lapsing = childrenIn("groups", counts, "lapses");
  const blockers = [
    ...lapsing.filter(({ kind }) => blockingCollections?.includes(kind.collection)),
    ...childrenIn("groups", counts, "blocks"),
  ];
  const isClear = blockingCollections !== undefined || lapsing.length === 0;
  const complete = isClear && blockers.length > 0 && uncountedIn("groups", counts).length === 0;
  const said = complete ? [] : preconditions.map(({ description }) => description).filter(Boolean);
  return {
    message: (blockers.length === 0
      ? ["The group isn't empty.", ...said.map(asSentence)]
      : [...said.map(asSentence), "Delete these first:"]
    ).join(" "),
    blockers: blockers.map(({ kind, count }) => ({
      label: wordsInside(kind)[Number(count) === 1 ? 0 : 1],
      count,
      link: listOf(kind.collection),
    })),
    requestId,
  };
}
