import { KeyRoundIcon } from "lucide-react";
import { Button } from "@mantine/core";
import { linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

import "~/ui/controls/button-styles";
import { frameParts } from "~/frame/parts";
import { Empty } from "~/ui/feedback/empty";
import { AppLink } from "~/ui/layout/link";

const howTo = linkOptions({ to: "/", search: { group: undefined } });

interface NoAccessYetProps {
  /** uid of the group that the user looked for. */
  readonly group?: string | undefined;
  readonly level?: 1 | 2;
}

/** Replaces rows or a record for a user without any role; the overview says what to do. */
export function NoAccessYet({ group, level = 2 }: NoAccessYetProps): ReactNode {
  const { AskForAccess } = frameParts();
  return (
    <Empty
      icon={<KeyRoundIcon size={24} />}
      title="No access yet"
      level={level}
      actions={
        <>
          {AskForAccess && group ? <AskForAccess group={group} /> : null}
          <Button variant="default" component={AppLink} target={howTo}>
            How to get access
          </Button>
        </>
      }
    >
      You don't have a role in any organization. Ask an owner to add you, or create your own organization.
    </Empty>
  );
}
