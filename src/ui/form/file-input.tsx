import { useId, useRef, type ReactNode } from "react";

import classes from "./file-input.module.css";
import { useFileDrop } from "./use-file-drop";

interface FileInputProps {
  readonly label: string;
  /** As of the HTML attribute: ".json,application/json". */
  readonly accept: string;
  /** id of the element with what went wrong. */
  readonly describedBy?: string | undefined;
  readonly onChoose: (file: File) => void;
}

/** The browser's own field to choose a file, with a label above it. A file can be dropped on both. */
export function FileInput({ label, accept, describedBy, onChoose }: FileInputProps): ReactNode {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const drop = useFileDrop(([file]) => {
    if (!file) return;
    const one = new DataTransfer();
    one.items.add(file);
    // The field shows its name, as of a chosen one.
    if (input.current) input.current.files = one.files;
    onChoose(file);
  });
  return (
    <div className={classes["field"]} {...drop}>
      <label htmlFor={id} className={classes["label"]}>
        {label}
      </label>
      <input
        ref={input}
        id={id}
        type="file"
        accept={accept}
        className={classes["file"]}
        aria-describedby={describedBy}
        onClick={({ currentTarget }) => {
          // Reset, so that choosing the same file again fires a change event.
          currentTarget.value = "";
        }}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) onChoose(file);
        }}
      />
    </div>
  );
}
