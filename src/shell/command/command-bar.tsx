import { SearchIcon } from "lucide-react";
import { useLayoutEffect, useSyncExternalStore, type ReactNode } from "react";

import { onDemand } from "~/ui/on-demand";
import { onFirstUse } from "~/ui/on-first-interaction";

import styles from "../header.module.css";
import { currentCommand, openCommand, pressKey, subscribeCommand, typeAhead } from "./opened";
import { useVisits } from "./use-visits";

// Loaded on the first user interaction, so that it opens immediately.
const load = () => import("./command");
const ShortcutKeys = onFirstUse(async () => (await load()).ShortcutKeys);
const Command = onDemand(async () => (await load()).Command);

const isMac = (): boolean => /Mac|iP/.test(navigator.platform);

/** True while the palette is opened and not there yet: what is typed is for it, no shortcut. */
const isAwaited = (): boolean => currentCommand() === "palette" && !document.querySelector("[data-palette]");

/** The header's search button and its shortcut; hosts what it and other shortcuts open. */
export function CommandBar(): ReactNode {
  const opened = useSyncExternalStore(subscribeCommand, currentCommand);
  // Here, not with the keys: who leaves a page with the first click has seen it too.
  useVisits();
  // Before the button is painted: whoever sees it can press its keys.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== "k" || event.altKey || !(isMac() ? event.metaKey : event.ctrlKey))
        return isAwaited() ? typeAhead(event) : pressKey(event);
      // The palette closes by the same keys.
      if (event.defaultPrevented) return;
      event.preventDefault();
      // Not over a form, where Escape would also close the form.
      if (!document.querySelector("dialog[open], [aria-modal=true]")) openCommand("palette");
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  return (
    <>
      <button
        type="button"
        className={`${styles["control"]} ${styles["search"]}`}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => openCommand("palette")}
      >
        <SearchIcon size={16} />
        <span className={styles["person"]}>Search</span>
        <kbd className={styles["person"]} aria-hidden="true">
          {isMac() ? "\u2318K" : "Ctrl K"}
        </kbd>
      </button>
      <ShortcutKeys />
      {opened && opened !== "account" ? <Command opened={opened} /> : null}
    </>
  );
}
