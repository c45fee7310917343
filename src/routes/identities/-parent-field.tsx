import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";

import { useCan } from "~/access/use-can";
import { rootOf } from "~/contract/aip";
import { identities } from "~/contract/iam/identities";
import "~/kit/button-styles";
import { DisabledReason } from "~/kit/disabled-reason";
import { SelectField } from "~/kit/form/fields";
import { Notice } from "~/kit/notice";
import { useHomes, type Home } from "~/parts/homes";

import type { IdentityValues } from "./-identity-values";
import { isBelowOrganization } from "./-reach";

/** The group that a new identity belongs to, and what follows from it. */
export function ParentField({ scope }: { readonly scope: string | undefined }): ReactNode {
  const { control } = useFormContext<IdentityValues>();
  const parent = useWatch({ control, name: "parent" });
  const places = useHomes(scope);
  return (
    <>
      <SelectField
        name="parent"
        label="Belongs to"
        required
        options={[
          ...(scope === undefined ? [{ value: "", label: "Choose a group" }] : []),
          ...places.map(({ uid, label }) => ({ value: uid, label })),
        ]}
        hint="Another folder: choose it under Scope first."
      />
      {isBelowOrganization(parent) ? <ReachNote parent={parent} places={places} /> : null}
    </>
  );
}

function ReachNote({ parent, places }: { parent: string; places: readonly Home[] }): ReactNode {
  const { setValue } = useFormContext<IdentityValues>();
  const root = rootOf(parent);
  const { reason } = useCan(identities.create, root);
  const organization = places.find(({ uid }) => uid === root)?.label;
  const folder = places
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
          <DisabledReason reason={reason}>
            <Button
              variant="default"
              onClick={() => setValue("parent", root, { shouldDirty: true, shouldValidate: true })}
            >
              Create at the organization instead
            </Button>
          </DisabledReason>
        )
      }
    >
      An identity of a folder sees nothing of <bdi>{organization ?? "the organization"}</bdi> itself, its
      registry for one, whatever role it is given there.
    </Notice>
  );
}
