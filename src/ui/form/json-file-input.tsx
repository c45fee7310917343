import { useId, useState, type ReactNode } from "react";

import { Notice } from "../feedback/notice";
import { FileInput } from "./file-input";

interface JsonFileInputProps {
  readonly label: string;
  /** Reads a chosen file. What it throws is shown, and the page stays as it is. */
  readonly onChoose: (file: File) => void | Promise<void>;
  /** The error whose message says what is wrong with a file. */
  readonly Problem: abstract new (...args: never[]) => Error;
}

/** Chooses a JSON file; says below the field why one was not opened. */
export function JsonFileInput({ label, onChoose, Problem }: JsonFileInputProps): ReactNode {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const choose = async (file: File) => {
    setProblem(undefined);
    try {
      await onChoose(file);
    } catch (error) {
      setProblem(error instanceof Problem ? error.message : "This file couldn't be read.");
    }
  };
  return (
    <>
      <FileInput
        label={label}
        accept=".json,application/json"
        describedBy={id}
        onChoose={(file) => void choose(file)}
      />
      <div id={id} role="alert">
        {problem === undefined ? null : (
          <Notice tone="warning" title="Not opened">
            {problem}
          </Notice>
        )}
      </div>
    </>
  );
}
