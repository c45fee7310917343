import { useState, type DragEvent, type DragEventHandler } from "react";

/** What happens when a group is dragged onto another one, by their uids. */
export interface GroupDrag {
  readonly canDrag: (uid: string) => boolean;
  readonly canDrop: (uid: string, onto: string) => boolean;
  readonly onDrop: (uid: string, onto: string) => void;
}

interface TreeDrag {
  /** uid of the group that would take what is held. */
  readonly over: string | undefined;
  /** For the element around the rows. */
  readonly handlers: {
    readonly onDragStart?: DragEventHandler;
    readonly onDragOver?: DragEventHandler;
    readonly onDragLeave?: DragEventHandler;
    readonly onDrop?: DragEventHandler;
    readonly onDragEnd?: DragEventHandler;
  };
}

const uidAt = ({ target }: DragEvent): string | undefined =>
  target instanceof Element
    ? (target.closest("[data-uid]")?.getAttribute("data-uid") ?? undefined)
    : undefined;

/** Rows of a tree that are dragged onto each other; for keys, the menu has the same. */
export function useTreeDrag(drag: GroupDrag | undefined): TreeDrag {
  const [held, setHeld] = useState<string>();
  const [over, setOver] = useState<string>();
  if (!drag) return { over: undefined, handlers: {} };
  const end = () => {
    setHeld(undefined);
    setOver(undefined);
  };
  const ontoOf = (event: DragEvent): string | undefined => {
    const onto = uidAt(event);
    return held !== undefined && onto !== undefined && drag.canDrop(held, onto) ? onto : undefined;
  };
  return {
    over,
    handlers: {
      onDragStart: (event) => {
        // The link stays: it can still be dropped on a tab or in a text.
        event.dataTransfer.effectAllowed = "all";
        setHeld(uidAt(event));
      },
      onDragOver: (event) => {
        const onto = ontoOf(event);
        setOver(onto);
        if (onto === undefined) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "move";
      },
      onDragLeave: () => setOver(undefined),
      onDrop: (event) => {
        const onto = ontoOf(event);
        end();
        if (held === undefined || onto === undefined) return;
        event.preventDefault();
        drag.onDrop(held, onto);
      },
      onDragEnd: end,
    },
  };
}
