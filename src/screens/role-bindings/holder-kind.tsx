import { BotIcon, UserIcon } from "lucide-react";
import type { ReactNode } from "react";

import classes from "./styles.module.css";

/** Who holds a role: a person, or a workload that signs in by itself. */
export const HolderKind = ({ machine }: { readonly machine: boolean }): ReactNode => (
  <span className={classes["holder"]}>
    {machine ? <BotIcon size={14} /> : <UserIcon size={14} />}
    {machine ? "Machine" : "Person"}
  </span>
);
