/** What is open over the page: the palette, the sheet of keyboard shortcuts, or the panel of one's account. */
export type OpenedCommand = "palette" | "shortcuts" | "account" | undefined;

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

let opened: OpenedCommand;
/** What was typed since the palette was opened, while its code is still loading. */
let ahead = "";
const listeners = new Set<() => void>();

/** Opens it over the page, or closes what is open; the header renders it, also if it is mounted later. */
export function openCommand(next?: OpenedCommand): void {
  opened = next;
  ahead = "";
  for (const listener of listeners) listener();
}

/** Keeps a key for the palette that is about to be there; Escape gives it up. */
export function typeAhead(event: KeyboardEvent): void {
  const { key, altKey, ctrlKey, metaKey } = event;
  if (key === "Escape") return openCommand();
  if (key === "Backspace") ahead = ahead.slice(0, -1);
  if (key.length !== 1 || altKey || ctrlKey || metaKey) return;
  event.preventDefault();
  ahead += key;
}

export const typedAhead = (): string => ahead;

export const currentCommand = (): OpenedCommand => opened;

export function subscribeCommand(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
