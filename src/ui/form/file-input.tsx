import { FileIcon, UploadIcon } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import { visible } from "../display/visible";
import classes from "./file-input.module.css";
import { useFileDrop } from "./use-file-drop";

interface FileInputProps {
  readonly label: string;
  /** As of the HTML attribute: ".json,application/json". Default: any file. */
  readonly accept?: string;
  /** id of the element with what went wrong. */
  readonly describedBy?: string | undefined;
  /** Several files at a time, listed by the caller. */
  readonly multiple?: boolean;
  readonly onChoose: (file: File, ...more: readonly File[]) => void;
}

/** Chooses or takes dropped files, and shows the name of the one that was chosen. */
export function FileInput({ label, accept, describedBy, multiple, onChoose }: FileInputProps): ReactNode {
  const id = useId();
  const [name, setName] = useState<string>();
  const take = ([file, ...more]: readonly File[]) => {
    if (!file) return;
    if (!multiple) setName(file.name);
    onChoose(file, ...(multiple ? more : []));
  };
  const drop = useFileDrop(take);
  return (
    <div className={classes["field"]} {...drop}>
      <label htmlFor={id} className={classes["label"]}>
        {label}
      </label>
      <div className={classes["zone"]}>
        <input
          id={id}
          type="file"
          accept={accept}
          multiple={multiple}
          className={classes["input"]}
          aria-describedby={describedBy}
          onClick={({ currentTarget }) => {
            // Reset, so that choosing the same file again fires a change event.
            currentTarget.value = "";
          }}
          onChange={({ currentTarget }) => take([...(currentTarget.files ?? [])])}
        />
        {name === undefined ? (
          <>
            <UploadIcon size={16} aria-hidden />
            <span aria-hidden>
              <span className={classes["act"]}>{multiple ? "Choose files" : "Choose a file"}</span> or drop{" "}
              {multiple ? "them" : "it"} here
            </span>
          </>
        ) : (
          <>
            <FileIcon size={16} aria-hidden />
            <bdi className={classes["name"]}>{visible(name)}</bdi>
            <span className={classes["act"]} aria-hidden>
              Replace
            </span>
          </>
        )}
      </div>
    </div>
  );
}
