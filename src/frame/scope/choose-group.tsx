import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import "~/ui/controls/button-styles";
import { shorten } from "~/ui/display/shorten";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";

import { useTopGroups } from "./top-groups";
import { uidToParam } from "./uid-param";

/** Groups to offer: the tree has them all. */
const OFFERED = 6;

/** For a page that is about one group, where none is chosen: the topmost ones that the user can see lead to it. */
export function ChooseGroup({ children }: { readonly children: ReactNode }): ReactNode {
  const { organizations, folders } = useTopGroups();
  const offered = [...organizations, ...folders].slice(0, OFFERED);
  return (
    <Notice
      actions={
        offered.length === 0
          ? undefined
          : offered.map(({ uid, name }) => (
              <Button
                key={uid}
                variant="default"
                component={AppLink}
                target={{ to: ".", search: (now: object) => ({ ...now, group: uidToParam(uid) }) }}
              >
                <bdi>{name || shorten(uid)}</bdi>
              </Button>
            ))
      }
    >
      {children}
    </Notice>
  );
}
