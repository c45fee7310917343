import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import type { Role } from "platform-contract/iam/roles";
import type { ActsProps } from "~/frame/bulk-delete/use-selectable";
import "~/ui/controls/button-styles";
import { formatQuantity } from "~/ui/display/numbers";
import { AppLink } from "~/ui/layout/link";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import { COMPARED_MAX, compareOf } from "./data";

/** Links to the comparison of the selected roles. */
export function CompareButton({ records }: ActsProps<Role>): ReactNode {
  const reason = records.length > COMPARED_MAX ? `Up to ${COMPARED_MAX} roles can be compared` : undefined;
  return (
    <DisabledReason reason={reason}>
      <Button variant="default" component={AppLink} target={compareOf(records.map(({ uid }) => uid))}>
        Compare {formatQuantity(records.length, "role", "roles")}
      </Button>
    </DisabledReason>
  );
}
