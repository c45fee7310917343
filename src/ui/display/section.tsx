import { useId, type ReactNode } from "react";

import { formatCount } from "./numbers";
import classes from "./section.module.css";

interface SectionProps {
  title: string;
  /** For links to it: `#registry`. */
  id?: string | undefined;
  /** Number of items in the section; undefined while unknown. */
  count?: number | bigint | undefined;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A section of a detail screen, labeled by its heading. */
export function Section({ title, id: anchor, count, description, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section id={anchor} className={classes["section"]} aria-labelledby={id}>
      <div className={classes["head"]}>
        <h2 className={classes["title"]} id={id}>
          {title}
          {count === undefined ? null : <span className={classes["count"]}> {formatCount(count)}</span>}
        </h2>
        {actions ? <div className={classes["actions"]}>{actions}</div> : null}
      </div>
      {description ? <p className={classes["description"]}>{description}</p> : null}
      {children}
    </section>
  );
}
