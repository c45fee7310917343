import { useLayoutEffect, useRef } from "react";

import { Store } from "~/store";

import { AppLink, type LinkTarget } from "./link";
import { formatCount } from "../display/numbers";
import classes from "./tabs.module.css";

export interface Tab {
  readonly label: string;
  readonly link: LinkTarget;
  readonly count?: number | bigint | undefined;
}

interface TabsProps {
  /** Names the group: "Kinds of identities". */
  label: string;
  tabs: readonly Tab[];
  /** Label of the current tab. */
  current: string;
}

// Otherwise, a link without search parameters would count as current for every drawer and filter of another tab.
const exactly = (link: LinkTarget): LinkTarget => Object.assign({ activeOptions: { exact: true } }, link);

/** True after a click on a tab: if the target renders its own tabs, they take over the focus. */
const pressed = new Store(() => false);

/** Tabs that are links: each has an address, Back works, and the Tab key moves between them. */
export function Tabs({ label, tabs, current }: TabsProps) {
  const nav = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (pressed.get() && document.activeElement === document.body)
      nav.current?.querySelector<HTMLElement>("[aria-current=page]")?.focus({ preventScroll: true });
    pressed.set(false);
  }, [current]);
  return (
    <nav ref={nav} onClick={() => pressed.set(true)} className={classes["tabs"]} aria-label={label}>
      {tabs.map((tab) => (
        <AppLink
          key={tab.label}
          target={exactly(tab.link)}
          className={classes["tab"]}
          aria-current={tab.label === current ? "page" : undefined}
        >
          {tab.label}
          {tab.count === undefined ? null : (
            <span className={classes["count"]}>{formatCount(tab.count)}</span>
          )}
        </AppLink>
      ))}
    </nav>
  );
}
