import type { ReactNode } from "react";

import { Badge } from "~/ui/display/badge";

import { REVIEW_WORDS } from "./words";

/** The review of an event. An approved one, which is what most are, shows nothing. */
export const ReviewBadge = ({ of = "" }: { readonly of: string | undefined }): ReactNode =>
  of === "REVIEW_STATE_APPROVED" ? null : (
    <Badge tone={of === "REVIEW_STATE_REJECTED" ? "danger" : "warning"}>
      {REVIEW_WORDS[of] ?? "Not reviewed"}
    </Badge>
  );
