import { useId, useState, type ReactNode } from "react";

import { FileInput } from "~/ui/form/file-input";
import { Notice } from "~/ui/feedback/notice";

import { MOST_BYTES, readReview, ReviewProblem, type Review } from "./format";

/** Reads the file of a review. Rejects with a ReviewProblem. */
async function open(file: File, service: string): Promise<Review> {
  if (file.size > MOST_BYTES)
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
export function OpenFile({ label, service, onOpen }: OpenFileProps): ReactNode {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const choose = async (file: File) => {
    setProblem(undefined);
    try {
      onOpen(await open(file, service));
    } catch (error) {
      setProblem(error instanceof ReviewProblem ? error.message : "This file couldn't be read.");
    }
  };
  return (
    <>
      <FileInput
        label={label}
        accept=".json,application/json"
        describedBy={`${id}problem`}
        onChoose={(file) => void choose(file)}
      />
      <div id={`${id}problem`} role="alert">
        {problem === undefined ? null : (
          <Notice tone="warning" title="Not opened">
            {problem}
          </Notice>
        )}
      </div>
    </>
  );
}
