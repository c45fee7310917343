import { useLayoutEffect, useRef, useState, type ReactNode } from "react";

import classes from "./breadcrumbs.module.css";
import { AppLink, type LinkTarget } from "./link";

export interface Crumb {
  readonly label: string;
  /** Absent if the user cannot open it, and for the page itself. */
  readonly link?: LinkTarget | undefined;
  /** A button that opens what lies beside this step. */
  readonly menu?: ReactNode;
}

/** Maximum number of items to show; a narrow window shows the first and the last two. */
const SHOWN = 6;

/** The path to this page on one line, root first. The middle of a long path collapses into a button. */
export function Breadcrumbs({ items, label = "Breadcrumb" }: { items: readonly Crumb[]; label?: string }) {
  const [whole, setWhole] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    // The focused button has unmounted: move the focus to its place.
    if (whole) list.current?.querySelector<HTMLElement>("li:nth-child(2) a")?.focus();
  }, [whole]);
  const middle = items.slice(1, -2);
  const folded = !whole && middle.length > 0;
  return (
    <nav aria-label={label} className={classes["breadcrumbs"]}>
      <ol
        ref={list}
        className={classes["list"]}
        data-folded={folded ? (items.length > SHOWN ? "always" : "narrow") : undefined}
        data-whole={whole || undefined}
      >
        {items.map((crumb, index) => (
          // Labels can repeat (a folder can be named like its parent); indexes do not.
          <li key={index} className={classes["item"]}>
            {folded && index === items.length - 2 ? (
              <button
                type="button"
                className={classes["more"]}
                aria-label={`Show ${middle.length} more: ${middle.map((each) => each.label).join(", ")}`}
                data-tip={middle.map((each) => each.label).join(" / ")}
                onClick={() => setWhole(true)}
              >
                …
              </button>
            ) : null}
            <CrumbLabel crumb={crumb} last={index === items.length - 1} />
            {crumb.menu}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function CrumbLabel({ crumb, last }: { crumb: Crumb; last: boolean }) {
  const text = <bdi>{crumb.label}</bdi>;
  if (crumb.link && !last) {
    return (
      <AppLink target={crumb.link} className={classes["link"]} data-tip-overflow="">
        {text}
      </AppLink>
    );
  }
  return (
    <span className={classes["label"]} data-tip-overflow="" aria-current={last ? "page" : undefined}>
      {text}
    </span>
  );
}
