import { ShieldIcon } from "lucide-react";
import type { ReactNode } from "react";

import { Badge } from "~/ui/display/badge";

import classes from "./role-badge.module.css";

/** The name of a role, as a chip. An owner can do everything: that one stands out. */
export const RoleBadge = ({ name }: { readonly name: string }): ReactNode => (
  <Badge tone={name === "owner" ? "accent" : "neutral"} icon={<ShieldIcon />}>
    <bdi className={classes["name"]}>{name}</bdi>
  </Badge>
);
