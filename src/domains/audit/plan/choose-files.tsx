import { Button } from "@mantine/core";
import { useRef, useState, type ReactNode } from "react";

import "~/ui/controls/button-styles";

import { foundIn, foundInDrop, type FoundFile } from "./found-files";
import classes from "./choose-files.module.css";

interface ChooseFilesProps {
  readonly onChoose: (files: Promise<readonly FoundFile[]>) => void;
}

/** Chooses or takes a dropped file or directory. */
export function ChooseFiles({ onChoose }: ChooseFilesProps): ReactNode {
  const [over, setOver] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const chosen = (input: HTMLInputElement) => {
    const files = foundIn([...(input.files ?? [])]);
    // So that choosing the same again is a change.
    input.value = "";
    if (files.length > 0) onChoose(Promise.resolve(files));
  };
  return (
    <div
      className={classes["drop"]}
      data-over={over || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onChoose(foundInDrop(event.dataTransfer.items));
      }}
    >
      <Button variant="default" onClick={() => file.current?.click()}>
        Choose a file
      </Button>
      <Button variant="default" onClick={() => folder.current?.click()}>
        Choose a folder
      </Button>
      <span className={classes["quiet"]}>or drop one here</span>
      <input
        ref={file}
        type="file"
        aria-label="State or plan file"
        accept=".json,.yaml,.yml,application/json"
        className={classes["hidden"]}
        onChange={({ currentTarget }) => chosen(currentTarget)}
      />
      <input
        ref={(input) => {
          folder.current = input;
          // React has no property for it.
          input?.setAttribute("webkitdirectory", "");
        }}
        type="file"
        aria-label="Folder of a state"
        className={classes["hidden"]}
        onChange={({ currentTarget }) => chosen(currentTarget)}
      />
    </div>
  );
}
