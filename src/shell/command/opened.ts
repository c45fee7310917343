/** What is open over the page: the palette, or the sheet of keyboard shortcuts. */
export type Opened = "palette" | "shortcuts" | undefined;

type KeyHandler = (event: KeyboardEvent) => void;

/** Key presses from before their handler was loaded. */
const early: KeyboardEvent[] = [];
let handler: KeyHandler | undefined;

export const pressKey: KeyHandler = (event) => void (handler ? handler(event) : early.push(event));

/** Handles all further key presses, and those that wait for it; returns how to stop. */
export function handleKeys(next: KeyHandler): () => void {
  handler = next;
  for (const event of early.splice(0)) next(event);
  return () => {
    handler = undefined;
  };
}

let open: ((next: Opened) => void) | undefined;

/** Opens it over the page, or closes what is open; the header renders it. */
export const openCommand = (next?: Opened): void => open?.(next);

export const setOpener = (opener: typeof open): void => {
  open = opener;
};
