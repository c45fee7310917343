import { useQueryClient } from "@tanstack/react-query";
import { useState, type ComponentProps, type ReactNode } from "react";
import { useWatch, type FieldValues } from "react-hook-form";

import { useCan } from "~/frame/permissions/use-can";
import { useDelete } from "~/api/mutations/writes";
import { JUSTIFICATION, JustificationField } from "~/frame/form/justification-field";
import { FormRequests } from "~/frame/request-inspector/form-requests";
import { ApiError } from "platform-client/errors";
import type { RequestInfo } from "platform-client/request-info";
import { parentOf } from "platform-contract/aip";
import { identities, type Identity } from "platform-contract/iam/identities";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { ActionButton } from "~/ui/controls/action-button";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { toast } from "~/ui/feedback/toast-store";
import { useFormMessage } from "~/ui/form/form-message";
import { FormSection } from "~/ui/form/form-section";
import { FormDrawer } from "~/ui/form/form-drawer";

import { AppliesTo } from "./applies-to";
import { requestsOf, useGrant } from "./grant";
import { StrongForMachine } from "./review";
import { RoleField } from "./role-field";
import { useRoleChoice } from "./roles";
import { untyped } from "~/ui/form/untyped";

interface FormDrawerProps<V extends FieldValues, I> extends ComponentProps<
  typeof FormDrawer<V, I, Identity>
> {
  readonly requests: (values: V) => readonly RequestInfo[];
}
/**
 * The drawer that creates an identity and grants it a role in its group, in two requests. If only the first one
 * succeeds, the form stays open, says so, and offers to retry the grant or delete the identity.
 */
export function CreateWithRole<V extends FieldValues, I>(props: FormDrawerProps<V, I>): ReactNode {
  const { form, onSubmit, onClose, children } = props;
  const { control, getValues } = untyped(form);
  // A field that only this drawer has, and one that every form for a new record has.
  const names: readonly (string | undefined)[] = useWatch({ control, name: ["roleUid", "parent"] });
  const [roleUid = "", parent = ""] = names;
  const [made, setMade] = useState<Identity>();
  const client = useQueryClient();
  const grant = useGrant();
  const { reason } = useCan(roleBindings.create, parent || undefined);
  const submit = async (body: I): Promise<Identity> => {
    const identity = made ?? (await onSubmit(body));
    const chosen: string = getValues("roleUid");
    if (!chosen) return identity;
    try {
      await grant({
        identities: [identity.uid],
        roleUid: chosen,
        parent: parentOf(identity.uid),
        justification: getValues(JUSTIFICATION),
      });
    } catch (error) {
      // The earlier response was lost, but the binding was created.
      const there = made !== undefined && error instanceof ApiError && error.code === "ALREADY_EXISTS";
      setMade(identity);
      if (!there) throw error;
    }
    return identity;
  };
  /** The second request contains the uid from the first one's response. */
  const requests = (values: V): RequestInfo[] => {
    const identities = [made?.uid ?? "<uid of the new identity>"];
    const asked = {
      identities,
      roleUid,
      parent: made ? parentOf(made.uid) : parent,
      justification: getValues(JUSTIFICATION),
    };
    return [...(made ? [] : props.requests(values)), ...(roleUid === "" ? [] : requestsOf(client, asked))];
  };
  const half = made !== undefined && {
    title: "Grant role",
    submitLabel: roleUid === "" ? "Finish without a role" : "Grant role",
    savingLabel: "Granting",
    disabled: reason,
  };
  const close = () => {
    onClose();
    if (made) toast(`Created identity ${made.name} without a role`);
  };
  return (
    <FormDrawer
      {...props}
      {...half}
      behind={<FormRequests form={form} requests={requests} />}
      onSubmit={submit}
      onClose={close}
    >
      {made ? <Made identity={made} onDeleted={() => setMade(undefined)} /> : children}
      <Role group={made ? parentOf(made.uid) : parent} roleUid={roleUid} disabled={reason} />
      <JustificationField />
    </FormDrawer>
  );
}

function Role(props: { group: string; roleUid: string; disabled: string | undefined }): ReactNode {
  const { group, roleUid, disabled } = props;
  const role = useRoleChoice(group).roles.find(({ uid }) => uid === roleUid);
  return (
    <FormSection title="Access">
      <RoleField
        group={group}
        optional
        machine
        disabled={disabled}
        hint="Without a role, it can sign in and do nothing. You can grant one later."
      />
      {role ? (
        <>
          <AppliesTo group={group} />
          <StrongForMachine role={role} />
        </>
      ) : null}
    </FormSection>
  );
}

interface MadeProps {
  readonly identity: Identity;
  readonly onDeleted: () => void;
}

/** Shown when the identity was created but its role was not granted. */
function Made({ identity, onDeleted }: MadeProps): ReactNode {
  const say = useFormMessage();
  const remove = useDelete(identities);
  const { reason } = useCan(identities.delete, identity.uid);
  const undo = () =>
    remove.mutate(
      { uid: identity.uid },
      {
        onSuccess: () => {
          toast(`Deleted identity ${identity.name}`);
          // The grant that failed is no longer the matter.
          say();
          onDeleted();
        },
      },
    );
  return (
    <>
      <Notice
        tone="warning"
        role="status"
        title={
          <>
            <bdi>{identity.name}</bdi> was created, but has no role yet
          </>
        }
        actions={
          <ActionButton reason={remove.isPending ? "Deleting\u2026" : reason} onClick={undo}>
            Delete the identity
          </ActionButton>
        }
      >
        Grant the role again or choose another one. Without a role, the identity can sign in but can't do
        anything.
      </Notice>
      {remove.error ? (
        <FailedPart title="The identity couldn't be deleted" error={remove.error} onRetry={undo} />
      ) : null}
    </>
  );
}
