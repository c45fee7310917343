import type { DeletableCollection } from "~/api/bulk/deletion";
import type { Deletion } from "~/api/mutations/deletion-queue";
/** A record to be deleted. Must be JSON-serializable, so that the next page can restore it. */
export interface DeletionTarget {
  readonly uid: string;
  readonly name: string;
  /** "tag". */
  readonly noun: string;
  readonly resource: DeletableCollection;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

type Said = Pick<
  Deletion<Pick<DeletionTarget, "name" | "noun">>,
  "state" | "target" | "reason" | "uncertain"
>;

/** The state of a deletion in a sentence that claims no more than the service confirmed. */
export function sentenceOf({ state, target: { noun, name }, reason = "", uncertain = false }: Said): string {
  const what = `${noun} ${name}`;
  switch (state) {
    case "held":
      return `Waiting for the service before deleting ${what}`;
    case "undoing":
      return `Keeping ${what}…`;
    case "deleted":
      return `Deleted ${what}`;
    case "gone":
      return `${capitalize(what)} was already deleted by someone else`;
    case "kept":
      return uncertain ? `Undone. No request to delete ${what} was sent` : `Kept ${what}`;
    case "failed":
      return uncertain
        ? `We couldn't confirm whether ${what} was deleted. ${reason}`
        : `${capitalize(what)} wasn't deleted. ${reason}`;
    default:
      return `Deleting ${what}…`;
  }
}
