import { useEffect, useRef, useState } from "react";

import classes from "./breadcrumbs.module.css";
import { AppLink, type LinkTarget } from "./link";

export interface Crumb {
  readonly label: string;
  /** Absent if the user cannot open it, and for the page itself. */
  readonly link?: LinkTarget | undefined;
}

const SHOWN = 6;

/** The path to this page, root first. The middle of a long path collapses into a button. */
export function Breadcrumbs({ items, label = "Breadcrumb" }: { items: readonly Crumb[]; label?: string }) {
  const [whole, setWhole] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    // The focused button has unmounted: move the focus to its place.
    if (whole) list.current?.querySelector<HTMLElement>("li:nth-child(2) a")?.focus();
  }, [whole]);
  const folded = !whole && items.length > SHOWN;
  const hidden = folded ? items.slice(1, -2) : [];
  const shown = folded ? [...items.slice(0, 1), ...items.slice(-2)] : items;
  return (
    <nav aria-label={label} className={classes["breadcrumbs"]}>
      <ol ref={list} className={classes["list"]}>
        {shown.map((crumb, index) => (
          // Labels can repeat (a folder can be named like its parent); indexes do not.
          <li key={index} className={classes["item"]}>
            {folded && index === 1 ? (
              <button
                type="button"
                className={classes["more"]}
                aria-label={`Show ${hidden.length} more: ${hidden.map((each) => each.label).join(", ")}`}
                data-tip={hidden.map((each) => each.label).join(" / ")}
                onClick={() => setWhole(true)}
              >
                …
              </button>
            ) : null}
            <CrumbLabel crumb={crumb} last={index === shown.length - 1} />
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
