import { AppLink, type LinkTarget } from "./link";
import { formatCount } from "./numbers";
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
  /** The label of the tab that is shown. */
  current: string;
}

/** Tabs that are links: each has an address, Back works, and Tab walks them. */
export function Tabs({ label, tabs, current }: TabsProps) {
  return (
    <nav className={classes["tabs"]} aria-label={label}>
      {tabs.map((tab) => (
        <AppLink
          key={tab.label}
          target={tab.link}
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
