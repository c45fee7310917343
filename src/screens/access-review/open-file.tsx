import type { ReactNode } from "react";

import { JsonFileInput } from "~/ui/form/json-file-input";

import { MAX_BYTES, readReview, ReviewProblem, type Review } from "./format";

/** Reads the file of a review. Rejects with a ReviewProblem. */
async function open(file: File, service: string): Promise<Review> {
  if (file.size > MAX_BYTES)
    throw new ReviewProblem("This file is larger than 20 MB, too large for an access review.");
  const review = readReview(await file.text());
  if (review.service !== service)
    throw new ReviewProblem(`This access review is of another service, ${review.service}.`);
  return review;
}

interface OpenFileProps {
  readonly label: string;
  readonly service: string;
  readonly onOpen: (review: Review) => void;
}

/** Opens a downloaded review. A file that is none is refused with a sentence, and changes nothing. */
export const OpenFile = ({ label, service, onOpen }: OpenFileProps): ReactNode => (
  <JsonFileInput
    label={label}
    Problem={ReviewProblem}
    onChoose={async (file) => onOpen(await open(file, service))}
  />
);
