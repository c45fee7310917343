import { useId, type ReactNode } from "react";

import classes from "./file-input.module.css";

interface FileInputProps {
  readonly label: string;
  /** As of the HTML attribute: ".json,application/json". */
  readonly accept: string;
  /** id of the element with what went wrong. */
  readonly describedBy?: string | undefined;
  readonly onChoose: (file: File) => void;
}

/** The browser's own field to choose a file, with a label above it. */
export function FileInput({ label, accept, describedBy, onChoose }: FileInputProps): ReactNode {
  const id = useId();
  return (
    <div className={classes["field"]}>
      <label htmlFor={id} className={classes["label"]}>
        {label}
      </label>
      <input
        id={id}
        type="file"
        accept={accept}
        className={classes["file"]}
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // Reset, so that choosing the same file again fires a change event.
          currentTarget.value = "";
          if (file) onChoose(file);
        }}
      />
    </div>
  );
}
