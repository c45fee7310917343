import {
  CircleCheckIcon,
  CircleSlashIcon,
  OctagonAlertIcon,
  SearchIcon,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";

import type { Advisory } from "platform-contract/vulnerabilities/advisories";
import { Badge } from "~/ui/display/badge";
import { State } from "~/ui/display/state";

import { newestText, STATUS_WORDS, verdictOf, type Status } from "./verdict";

type Tone = "danger" | "warning" | "success" | "neutral";

const LOOKS: Readonly<Record<Status, readonly [icon: LucideIcon, tone: Tone]>> = {
  affected: [OctagonAlertIcon, "danger"],
  under_investigation: [SearchIcon, "warning"],
  fixed: [CircleCheckIcon, "success"],
  not_affected: [CircleSlashIcon, "neutral"],
};

/** The status of an advisory, in VEX terms. */
export function StatusBadge({ of }: { readonly of: Status }): ReactNode {
  const [Icon, tone] = LOOKS[of];
  return (
    <Badge tone={tone} icon={<Icon />}>
      {STATUS_WORDS[of]}
    </Badge>
  );
}

/** The status of an advisory in a row, in the words of its newest event. */
export const AdvisoryState = ({ of }: { readonly of: Advisory }): ReactNode => (
  <State tone={LOOKS[verdictOf(of).status][1]}>{newestText(of)}</State>
);
