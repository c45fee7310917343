import { useState, type DragEvent, type DragEventHandler } from "react";

interface FileDrop {
  /** Set while files are held over the element, as `data-over`. */
  readonly "data-over": boolean | undefined;
  readonly onDragOver: DragEventHandler;
  readonly onDragLeave: DragEventHandler;
  readonly onDrop: DragEventHandler;
}

/** Props of an element that files can be dropped on. Other things, such as text, go where the browser puts them. */
export function useFileDrop(onFiles: (files: readonly File[]) => void): FileDrop {
  const [over, setOver] = useState(false);
  const drag = (event: DragEvent, isOver: boolean): boolean => {
    if (![...event.dataTransfer.types].includes("Files")) return false;
    event.preventDefault();
    // The innermost of two such elements takes them.
    event.stopPropagation();
    setOver(isOver);
    return true;
  };
  return {
    "data-over": over || undefined,
    onDragOver: (event) => void drag(event, true),
    onDragLeave: (event) => void drag(event, false),
    onDrop: (event) => {
      if (drag(event, false)) onFiles([...event.dataTransfer.files]);
    },
  };
}
