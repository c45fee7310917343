import { SearchIcon } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";

import { onDemand } from "~/ui/on-demand";
import { onFirstUse } from "~/ui/on-first-interaction";

import styles from "../header.module.css";
import { openCommand, setOpener, type Keys, type Opened } from "./opened";

// All of it comes with the first sign of a hand, so that it opens at once.
const load = () => import("./command");
const Hands = onFirstUse(async () => (await load()).Hands);
const Command = onDemand(async () => (await load()).Command);

const isMac = (): boolean => /Mac|iP/.test(navigator.platform);

/** What answers other keys, and those that were pressed before its code was there. */
const keys: Keys = { early: [] };

/** The search button of the header, its keys, and what it and other keys open. */
export function CommandBar(): ReactNode {
  const [opened, setOpened] = useState<Opened>();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== "k" || event.altKey || !(isMac() ? event.metaKey : event.ctrlKey))
        return void (keys.act ? keys.act(event) : keys.early.push(event));
      event.preventDefault();
      // Over a form it would take part in the form's own Escape.
      if (!document.querySelector("dialog[open], [aria-modal=true]")) openCommand("palette");
    };
    setOpener(setOpened);
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
      <Hands keys={keys} />
      {opened ? <Command opened={opened} /> : null}
    </>
  );
}
