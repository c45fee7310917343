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
}

/** Leads to the form that asks for access to a group; nothing with a service that has no such requests. */
export function AskForAccess({ group, more = false }: AskForAccessProps): ReactNode {
  const config = useRouteContext({ strict: false, select: (context) => context.config });
  if (config?.accessRequests !== true) return null;
  return (
    <Button component={AppLink} target={askPage(group)} {...(more && { variant: "default" })}>
      {more ? "Ask for more access" : "Ask for access"}
    </Button>
  );
}
