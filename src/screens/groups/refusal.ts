import type { ApiError } from "~/api/client/errors";
import { wordsInside } from "~/contract/kinds";
import type { Refusal } from "~/ui/overlay/confirm-delete";
import { asSentence } from "~/ui/display/as-sentence";
import type { LinkTarget } from "~/ui/layout/link";
import { childrenIn, uncountedIn, type ChildCounts } from "~/resource/children";

/** What a PreconditionFailure says of a group that something still lies in (contract B1). */
const NOT_EMPTY = "RESOURCE_NOT_EMPTY";

type Refused = Pick<ApiError, "preconditions"> & Partial<Pick<ApiError, "requestId">>;

export const isNotEmpty = ({ preconditions }: Refused): boolean =>
  preconditions.some(({ type }) => type === NOT_EMPTY);

/**
 * Why a group was not deleted: what is in the way by the console's own count, with links; of what lapses, as the service says.
 * The service's own words are added where that count may miss something: nothing was found, or a kind could not be counted.
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
      ? ["The group is not empty.", ...said.map(asSentence)]
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
