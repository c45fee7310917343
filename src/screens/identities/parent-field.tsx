import type { ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";

import { useCan } from "~/access/use-can";
import { rootOf } from "~/contract/aip";
import { identities } from "~/contract/iam/identities";
import { ActionButton } from "~/ui/controls/action-button";
import { Notice } from "~/ui/feedback/notice";
import { ParentGroupField } from "~/resource/parent-group-field";
import { useParentOptions, type ParentOption } from "~/features/scope/use-parent-options";

import type { IdentityValues } from "./values";
import { isBelowOrganization } from "./reach";

/** The group that a new identity belongs to, and what follows from it. */
export function ParentField({ scope }: { readonly scope: string | undefined }): ReactNode {
  const { control } = useFormContext<IdentityValues>();
  const parent = useWatch({ control, name: "parent" });
  const homes = useParentOptions(scope);
  return (
    <>
      <ParentGroupField scope={scope} homes={homes} />
      {isBelowOrganization(parent) ? <ReachNote parent={parent} homes={homes} /> : null}
    </>
  );
}

function ReachNote({ parent, homes }: { parent: string; homes: readonly ParentOption[] }): ReactNode {
  const { setValue } = useFormContext<IdentityValues>();
  const root = rootOf(parent);
  const { reason } = useCan(identities.create, root);
  const organization = homes.find(({ uid }) => uid === root)?.label;
  const folder = homes
    .find(({ uid }) => uid === parent)
    ?.label.split(" / ")
    .at(-1);
  return (
    <Notice
      title={
        <>
          It reaches no further than <bdi>{folder ?? "this folder"}</bdi>
        </>
      }
      actions={
        organization === undefined ? null : (
          <ActionButton
            reason={reason}
            onClick={() => setValue("parent", root, { shouldDirty: true, shouldValidate: true })}
          >
            Create at the organization instead
          </ActionButton>
        )
      }
    >
      An identity of a folder sees nothing of <bdi>{organization ?? "the organization"}</bdi> itself, its
      registry for one, whatever role it is given there.
    </Notice>
  );
}
