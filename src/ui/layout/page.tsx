import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import classes from "./page.module.css";

interface PageProps {
  /** Fills the height of the main area, so that a list inside scrolls on its own. */
  fill?: boolean;
  /** Shows only the heading and the description, while what the header says is loading; the rest loads behind it. */
  pending?: boolean;
  children: ReactNode;
}

/** The column of a screen: padding, and the space between its parts. */
export function Page({ fill = false, pending = false, children }: PageProps) {
  return (
    <div className={classes["page"]} data-fill={fill || undefined} data-pending={pending || undefined}>
      {children}
    </div>
  );
}

interface PageHeaderProps {
  title: ReactNode;
  /** Of the kind of what the page shows, as in the navigation. */
  icon?: LucideIcon | undefined;
  /** One line: what the page is for. */
  description?: ReactNode;
  /** Kind and state, next to the title. */
  badges?: ReactNode;
  /** Below the title: the uid, a time. */
  meta?: ReactNode;
  /** On the right; the one primary action last, or followed by a menu. */
  actions?: ReactNode;
}

/** The header of a screen. The heading gets the focus after a route change (tabIndex -1). */
export function PageHeader({ title, icon: Icon, description, badges, meta, actions }: PageHeaderProps) {
  return (
    <header className={classes["header"]}>
      {Icon ? (
        <span className={classes["icon"]} aria-hidden="true">
          <Icon size={18} />
        </span>
      ) : null}
      <div className={classes["words"]}>
        <div className={classes["line"]}>
          <h1 className={classes["title"]} tabIndex={-1}>
            <bdi>{title}</bdi>
          </h1>
          {badges}
        </div>
        {description ? <p className={classes["description"]}>{description}</p> : null}
        {meta ? <div className={classes["meta"]}>{meta}</div> : null}
      </div>
      {actions ? <div className={classes["actions"]}>{actions}</div> : null}
    </header>
  );
}
