import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import classes from "./kind.module.css";

interface KindProps {
  readonly icon: LucideIcon;
  readonly children: ReactNode;
}

/**
 * What kind of record a row is: an icon and a word, for a cell that holds nothing else. On the record's own page it is a
 * quiet `<Badge>`.
 */
export const Kind = ({ icon: Icon, children }: KindProps): ReactNode => (
  <>
    <Icon size={14} className={classes["icon"] ?? ""} />
    {children}
  </>
);
