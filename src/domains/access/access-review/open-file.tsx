import type { ReactNode } from "react";

import { JsonFileInput } from "~/ui/form/json-file-input";
import { TextProblem } from "~/frame/untrusted-text/outcome";
import { readInWorker } from "~/frame/untrusted-text/read-in-worker";

import { MAX_BYTES, type ReviewFile } from "./file";

const start = (): Worker =>
  new Worker(new URL("./read-worker.ts", import.meta.url), { type: "module", name: "access-review" });

/** Reads the file of a review. Rejects with a TextProblem. */
async function open(file: File): Promise<ReviewFile> {
  if (file.size > MAX_BYTES)
    throw new TextProblem("This file is larger than 20 MB, too large for an access review.");
  return readInWorker<string, ReviewFile>({ start, request: await file.text(), bytes: file.size });
}

interface OpenFileProps {
  readonly label: string;
  readonly onOpen: (file: ReviewFile) => void;
}

/** Opens a downloaded review. A file that is none is refused with a sentence, and changes nothing. */
export const OpenFile = ({ label, onOpen }: OpenFileProps): ReactNode => (
  <JsonFileInput label={label} Problem={TextProblem} onChoose={async (file) => onOpen(await open(file))} />
);
