import { Button } from "@mantine/core";
import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import "~/ui/controls/button-styles";
import { AppLink } from "~/ui/layout/link";

import { askPage } from "./links";

interface AskForAccessProps {
  readonly group: string;
  /** True for those who have some access there already. */
  readonly more?: boolean;
  /** Its name, where there are several such buttons. */
  readonly name?: string;
}

/** Leads to the form that asks for access to a group; nothing with a service that has no such requests. */
export function AskForAccess({ group, more = false, name }: AskForAccessProps): ReactNode {
  const config = useRouteContext({ strict: false, select: (context) => context.config });
  if (config?.accessRequests !== true) return null;
  return (
    <Button component={AppLink} target={askPage(group)} {...(more && { variant: "default" })}>
      {/* One element, so that the button doesn't take the spaces. */}
      <span>
        {more ? "Ask for more access" : "Ask for access"}
        {name === undefined ? null : (
          <>
            {" "}
            in <bdi>{name}</bdi>
          </>
        )}
      </span>
    </Button>
  );
}
