import type { PreconditionViolation } from "~/contract/status";
import type { Refusal } from "~/ui/overlay/confirm-delete";
import type { LinkTarget } from "~/ui/layout/link";

import { blockersOf, CONTENT_KINDS, CONTENT_WORDS, type ContentKind, type Contents } from "./contents";

/** What a PreconditionFailure says of a group that something still lies in (contract B1). */
const NOT_EMPTY = "RESOURCE_NOT_EMPTY";

/** What is read off the error of a refused deletion; an `ApiError` has it. */
interface Refused {
  readonly preconditions: readonly PreconditionViolation[];
  readonly requestId?: string | undefined;
}

export const isNotEmpty = ({ preconditions }: Refused): boolean =>
  preconditions.some(({ type }) => type === NOT_EMPTY);

/**
 * Why a group was not deleted: what is in the way by the console's own count, with links. The service's own words are
 * added where that count may miss something: nothing was found, or a kind could not be counted.
 */
export function refusalOf(
  contents: Contents,
  { preconditions, requestId }: Refused,
  listOf: (kind: ContentKind) => LinkTarget | undefined,
): Refusal {
  const blockers = blockersOf(contents);
  const complete = blockers.length > 0 && CONTENT_KINDS.every((kind) => contents[kind] !== undefined);
  const said = complete ? [] : preconditions.map(({ description }) => description).filter(Boolean);
  return {
    message: ["It still holds other records, which have to be deleted first.", ...said.map(asSentence)].join(
      " ",
    ),
    blockers: blockers.map(({ kind, count }) => ({
      label: CONTENT_WORDS[kind][Number(count) === 1 ? 0 : 1],
      count,
      link: listOf(kind),
    })),
    requestId,
  };
}

const asSentence = (text: string): string => {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
};
