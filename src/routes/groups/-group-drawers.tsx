import { Button } from "@mantine/core";
import { lazy, Suspense, type ReactNode } from "react";

import type { Group } from "~/contract/iam/groups";
import "~/kit/button-styles";
import { errorFacts } from "~/kit/error-facts";
import { Notice } from "~/kit/notice";
import { useGroup } from "~/parts/path";

import type { GroupDrawer } from "./-group-search";

// Nobody needs these before they are asked for.
const GroupForm = lazy(() => import("./-group-form").then((module) => ({ default: module.GroupForm })));
const DeleteGroup = lazy(() => import("./-delete-group").then((module) => ({ default: module.DeleteGroup })));

interface GroupDrawersProps {
  /** What the address says is open. */
  readonly drawer: GroupDrawer | undefined;
  /** uid of the group that the drawer is about: to change, to delete, or to create a folder in. */
  readonly item: string | undefined;
  /** The same group as a list has it: enough to delete it, be it gone meanwhile. */
  readonly known?: Group | undefined;
  readonly onClose: () => void;
  readonly onDeleted: (uid: string) => void;
}

/** The forms and questions about groups, each opened by the address (rule 5). */
export function GroupDrawers({ drawer, item, known, onClose, onDeleted }: GroupDrawersProps): ReactNode {
  if (drawer === undefined) return null;
  const creates = drawer === "create" || drawer === "create-organization";
  return (
    <Suspense fallback={null}>
      {creates ? (
        <GroupForm parent={drawer === "create" ? (item ?? "") : ""} onClose={onClose} />
      ) : item === undefined ? null : (
        <Existing key={item} uid={item} known={drawer === "delete" ? known : undefined} onClose={onClose}>
          {(group) =>
            drawer === "edit" ? (
              <GroupForm group={group} onClose={onClose} />
            ) : (
              <DeleteGroup group={group} onClose={onClose} onDeleted={() => onDeleted(item)} />
            )
          }
        </Existing>
      )}
    </Suspense>
  );
}

interface ExistingProps extends Pick<GroupDrawersProps, "known" | "onClose"> {
  readonly uid: string;
  readonly children: (group: Group) => ReactNode;
}

/** Reads the group that a form begins with. A link may name one that no list has loaded, or that is gone. */
function Existing({ uid, known, onClose, children }: ExistingProps): ReactNode {
  const { group, error } = useGroup(known ? undefined : uid);
  const found = known ?? group;
  if (found) return children(found);
  if (!error) return null;
  const close = (
    <Button variant="default" onClick={onClose}>
      Close
    </Button>
  );
  return (
    <Notice tone="warning" role="alert" title="The group could not be opened" actions={close}>
      {errorFacts(error).message}
    </Notice>
  );
}
