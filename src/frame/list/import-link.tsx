import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import "~/ui/controls/button-styles";
import { AppLink } from "~/ui/layout/link";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import type { ListScreen } from "./list-screen";

interface ImportLinkProps {
  readonly list: Pick<ListScreen<never>, "createRefusal">;
  /** As the page of imports calls it. */
  readonly kind: string;
}

/** Leads from a list to the import of its records, in the same scope. */
export const ImportLink = ({ list, kind }: ImportLinkProps): ReactNode => (
  <DisabledReason reason={list.createRefusal}>
    <Button
      variant="default"
      component={AppLink}
      target={{ to: "/import", search: (now: { group?: string }) => ({ group: now.group, kind }) }}
    >
      Import
    </Button>
  </DisabledReason>
);
