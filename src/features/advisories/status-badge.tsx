import {
  CircleCheckIcon,
  CircleSlashIcon,
  OctagonAlertIcon,
  SearchIcon,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";

import { Badge } from "~/ui/display/badge";

import { STATUS_WORDS, type Status } from "./verdict";

const LOOKS: Readonly<
  Record<Status, { readonly icon: LucideIcon; readonly tone: "danger" | "warning" | "success" | "neutral" }>
> = {
  affected: { icon: OctagonAlertIcon, tone: "danger" },
  under_investigation: { icon: SearchIcon, tone: "warning" },
  fixed: { icon: CircleCheckIcon, tone: "success" },
  not_affected: { icon: CircleSlashIcon, tone: "neutral" },
};

/** The status of an advisory, in VEX terms. */
export function StatusBadge({ of }: { readonly of: Status }): ReactNode {
  const { icon: Icon, tone } = LOOKS[of];
  return (
    <Badge tone={tone} icon={<Icon size={12} />}>
      {STATUS_WORDS[of]}
    </Badge>
  );
}
