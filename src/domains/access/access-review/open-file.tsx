import type { ReactNode } from "react";

import { JsonFileInput } from "~/ui/form/json-file-input";
import { TextProblem } from "~/frame/untrusted-text/outcome";
import { readInWorker } from "~/frame/untrusted-text/read-in-worker";

import { MAX_BYTES, type Review } from "./format";

const start = (): Worker =>
  new Worker(new URL("./read-worker.ts", import.meta.url), { type: "module", name: "access-review" });

/** Reads the file of a review. Rejects with a TextProblem. */
async function open(file: File, service: string): Promise<Review> {
  if (file.size > MAX_BYTES)
    throw new TextProblem("This file is larger than 20 MB, too large for an access review.");
  const review = await readInWorker<string, Review>({ start, request: await file.text(), bytes: file.size });
  if (review.service !== service)
    throw new TextProblem(`This access review is of another service, ${review.service}.`);
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
    Problem={TextProblem}
    onChoose={async (file) => onOpen(await open(file, service))}
  />
);
