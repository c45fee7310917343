import type { ApiError } from "~/api/client/errors";
import { wordsInside } from "~/contract/kinds";
import type { Refusal } from "~/ui/overlay/confirm-delete";
import { asSentence } from "~/ui/display/as-sentence";
import type { LinkTarget } from "~/ui/layout/link";
import { childrenIn, uncountedIn, type ChildCounts } from "./child-kinds";

/** The PreconditionFailure type for a group that is not empty. */
const NOT_EMPTY = "RESOURCE_NOT_EMPTY";

type Refused = Pick<ApiError, "preconditions"> & Partial<Pick<ApiError, "requestId">>;

export const isNotEmpty = ({ preconditions }: Refused): boolean =>
  preconditions.some(({ type }) => type === NOT_EMPTY);

/**
 * Explains why a group was not deleted: the blockers by the console's own count, with links, and the lapsing kinds that
 * the service names. Adds the service's descriptions if that count can be incomplete: none found or a kind not counted.
 */
export function refusalOf(
  counts: ChildCounts,
  { preconditions, requestId }: Refused,
  listOf: (collection: string) => LinkTarget | undefined,
): Refusal {
  const lapsing = childrenIn("groups", counts, "lapses").filter(({ kind: { plural } }) =>
    preconditions.some(({ description }) => description.endsWith(` ${plural}`)),
  );
  const blockers = [...lapsing, ...childrenIn("groups", counts, "blocks")];
  const complete = blockers.length > 0 && uncountedIn("groups", counts).length === 0;
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
