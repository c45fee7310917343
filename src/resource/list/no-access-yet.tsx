import { KeyRoundIcon } from "lucide-react";
import { Button } from "@mantine/core";
import { linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

import "~/ui/controls/button-styles";
import { Empty } from "~/ui/feedback/empty";
import { AppLink } from "~/ui/layout/link";

const howTo = linkOptions({ to: "/", search: { group: undefined } });

/** Replaces rows or a record for a user without any role; the overview says what to do. */
export const NoAccessYet = ({ level = 2 }: { readonly level?: 1 | 2 }): ReactNode => (
  <Empty
    icon={<KeyRoundIcon size={24} />}
    title="No access yet"
    level={level}
    actions={
      <Button variant="default" component={AppLink} target={howTo}>
        How to get access
      </Button>
    }
  >
    You don't have a role in any organization. Ask an owner to add you, or create your own organization.
  </Empty>
);
