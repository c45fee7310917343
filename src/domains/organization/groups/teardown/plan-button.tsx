import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import { uidToParam } from "~/frame/scope/uid-param";
import { useView } from "~/frame/use-view";
import "~/ui/controls/button-styles";

interface GroupView {
  readonly drawer?: string | undefined;
  readonly item?: string | undefined;
}

/** Switches from the deletion dialog of a group to the plan that empties it first. */
export function PlanButton({ uid }: { readonly uid: string }): ReactNode {
  const { show } = useView<GroupView>();
  return (
    <div>
      <Button variant="default" onClick={() => show({ drawer: "teardown", item: uidToParam(uid) }, true)}>
        Delete with contents…
      </Button>
    </div>
  );
}
