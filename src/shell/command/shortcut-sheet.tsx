import { useRouteContext } from "@tanstack/react-router";
import { Fragment, useId, useSyncExternalStore, type ReactNode } from "react";

import { Sheet } from "~/ui/overlay/sheet";
import { subscribePreferences } from "~/ui/preferences";

import { isOffered } from "../screens";
import { singleKeyShortcutsEnabled, setSingleKeyShortcutsEnabled } from "./letters";
import { IN_SEARCH, ON_PAGES, ON_ROWS, ON_TREE, PLACES, type Shortcut } from "./shortcut-list";
import styles from "./shortcut-sheet.module.css";

const MOD = /Mac|iP/.test(navigator.platform) ? "\u2318" : "Ctrl";

/** Shortcuts with a modifier, which stay active when the others are off. */
const ALWAYS: readonly Shortcut[] = [
  { keys: [`${MOD}+k`], does: "Search screens, actions, and records" },
  { keys: ["Alt+Shift+r"], does: "Show requests" },
  { keys: [`${MOD}+z`], does: "Undo the last deletion, while it's still possible" },
];

/** Lists all keyboard shortcuts, with a switch for those without a modifier (WCAG 2.1.4). */
export function ShortcutSheet({ onClose }: { readonly onClose: () => void }): ReactNode {
  const on = useSyncExternalStore(subscribePreferences, singleKeyShortcutsEnabled);
  const { config } = useRouteContext({ from: "__root__" });
  const { help, ...onPages } = ON_PAGES;
  return (
    <Sheet at="side" title="Keyboard shortcuts" onClose={onClose}>
      <label className={styles["switch"]}>
        <input type="checkbox" checked={on} onChange={() => setSingleKeyShortcutsEnabled(!on)} />
        Use single-key shortcuts
      </label>
      {on ? null : <p>Off in this browser. Keys on a row and keys with Ctrl, Command, or Alt still work.</p>}
      <Keys heading="Always" shortcuts={ALWAYS} />
      <Keys heading="On any page" shortcuts={[...Object.values(onPages), help]} />
      <Keys heading="On a row" shortcuts={[IN_SEARCH, ...ON_ROWS]} />
      <Keys heading="In the tree" shortcuts={ON_TREE} />
      <Keys heading="Go to" shortcuts={PLACES.filter((place) => isOffered(place, config))} />
    </Sheet>
  );
}

function Keys({ heading, shortcuts }: { readonly heading: string; readonly shortcuts: readonly Shortcut[] }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={styles["heading"]}>
        {heading}
      </h3>
      <dl className={styles["keys"]}>
        {shortcuts.map(({ keys, does }) => (
          <div key={does} className={styles["line"]}>
            <dt>{does}</dt>
            <dd>
              {(keys.at(-1) ?? "").split(" ").map((key, index) => (
                <Fragment key={key + index}>
                  {index > 0 ? " then " : null}
                  <kbd className={styles["key"]}>{key.replaceAll("+", " ")}</kbd>
                </Fragment>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
