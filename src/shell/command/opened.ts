import { Store } from "~/store";

/** What is open over the page: the palette, the sheet of keyboard shortcuts, the panel of one's account, or the question for a moment. */
export type OpenedCommand = "palette" | "shortcuts" | "account" | "moment" | undefined;

type KeyHandler = (event: KeyboardEvent) => void;

/** Key presses from before their handler was loaded. */
const early: KeyboardEvent[] = [];
const handler = new Store<KeyHandler | undefined>(() => undefined);

export const pressKey: KeyHandler = (event) => {
  const handle = handler.get();
  if (handle) handle(event);
  else early.push(event);
};

/** Handles all further key presses, and those that wait for it; returns how to stop. */
export function handleKeys(next: KeyHandler): () => void {
  handler.set(next);
  for (const event of early.splice(0)) next(event);
  return () => handler.set(undefined);
}

const opened = new Store<OpenedCommand>(() => undefined);
/** What was typed since the palette was opened, while its code is still loading. */
const ahead = new Store(() => "");

/** Opens it over the page, or closes what is open; the header renders it, also if it is mounted later. */
export function openCommand(next?: OpenedCommand): void {
  ahead.set("");
  opened.set(next);
}

/** Keeps a key for the palette that is about to be there; Escape gives it up. */
export function typeAhead(event: KeyboardEvent): void {
  const { key, altKey, ctrlKey, metaKey } = event;
  if (key === "Escape") return openCommand();
  if (key === "Backspace") ahead.set(ahead.get().slice(0, -1));
  if (key.length !== 1 || altKey || ctrlKey || metaKey) return;
  event.preventDefault();
  ahead.set(ahead.get() + key);
}

export const typedAhead = ahead.get;

export const currentCommand = opened.get;

export const subscribeCommand = opened.subscribe;
