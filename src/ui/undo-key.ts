/** The shortcut that undoes, in words and for `aria-keyshortcuts`. */
export const undoKeys = (agent: string): { readonly words: string; readonly aria: string } =>
  /Mac|iPhone|iPad/.test(agent)
    ? { words: "Command+Z", aria: "Meta+Z" }
    : { words: "Control+Z", aria: "Control+Z" };

/** What can be undone now, the newest last. */
const undoable: (() => void)[] = [];

/** The key undoes the newest of what is offered, wherever the focus is, except where text is edited. */
function onKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
  if (key.toLowerCase() !== "z" || ctrlKey === metaKey || altKey || shiftKey) return;
  if (target instanceof Element && target.closest("input, textarea, select, [contenteditable]")) return;
  const undo = undoable.at(-1);
  if (!undo) return;
  event.preventDefault();
  undo();
}

/** Lets the key undo something until the returned function is called. */
export function offerUndo(undo: () => void): () => void {
  if (undoable.length === 0) document.addEventListener("keydown", onKey);
  undoable.push(undo);
  return () => {
    const index = undoable.lastIndexOf(undo);
    if (index >= 0) undoable.splice(index, 1);
    if (undoable.length === 0) document.removeEventListener("keydown", onKey);
  };
}
