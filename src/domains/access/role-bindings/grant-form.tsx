import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useWatch } from "react-hook-form";
import * as z from "zod/mini";

import { useCan } from "~/frame/permissions/use-can";
import { checkWrite, isChecked } from "~/api/client/check-write";
import { call } from "~/api/client/client";
import { ApiError } from "platform-client/errors";
import { rootOf } from "platform-contract/aip";
import { isPerson } from "~/frame/scope/people";
import { roleBindings, type RoleBinding } from "platform-contract/iam/role-bindings";
import { RESOURCE_INFO } from "platform-contract/status";
import { JustificationField } from "~/frame/form/justification-field";
import { ParentGroupField } from "~/frame/form/parent-group-field";
import { toast } from "~/ui/feedback/toast-store";
import { FormRequests } from "~/frame/request-inspector/form-requests";
import { FormSection } from "~/ui/form/form-section";
import { FormDrawer } from "~/ui/form/form-drawer";
import { renamed } from "~/ui/form/problems";
import { useResourceForm } from "~/ui/form/use-resource-form";
import { AskedFor } from "~/domains/access/access-requests/asked-for";
import { AppliesTo } from "~/domains/access/grants/applies-to";
import { EndField, newEndProblem, useOwnEnd } from "~/domains/access/grants/end-field";
import { requestsOf, useGrant, type Grant } from "~/domains/access/grants/grant";
import { bindingPage } from "~/domains/access/grants/links";
import { Review } from "~/domains/access/grants/review";
import { reaches } from "~/domains/access/grants/reach";
import { takesEffect } from "~/domains/access/grants/no-effect";
import { RoleField } from "~/domains/access/grants/role-field";
import { PULL, PUSH } from "platform-contract/capability";
import { RoleBadge } from "~/domains/access/roles/role-badge";
import { useRoleChoice } from "~/domains/access/grants/roles";
import choosing from "~/domains/access/grants/choosing.module.css";
import classes from "~/domains/access/grants/styles.module.css";

import { WhoField } from "./who-field";

/** The first question about any role of a registry: what it can't do, since the field says what it can. */
function notWithImages(capabilities: readonly string[]): string {
  const [pull, push] = [PULL, PUSH].map((each) => capabilities.includes(each));
  if (pull && push) return "";
  return pull ? "Can't push images." : push ? "Can't pull images." : "Can't pull or push images.";
}

interface RoleSummaryProps {
  /** "" until one is chosen. */
  readonly roleUid: string;
  /** uid of the group where it is granted. */
  readonly group: string;
}

/** What the chosen role can't do with images. */
function RoleSummary({ roleUid, group }: RoleSummaryProps): ReactNode {
  const role = useRoleChoice(group).roles.find(({ uid }) => uid === roleUid);
  if (!role) return null;
  const { capabilities = [] } = role;
  return (
    <div className={choosing["roleSummary"]}>
      <RoleBadge name={role.name} />
      <span className={classes["note"]}>{notWithImages(capabilities)}</span>
    </div>
  );
}

const values = (ownEnd: number | undefined) =>
  z.object({
    identities: z.array(z.string()).check(z.minLength(1, "Choose who gets access")),
    roleUid: z.string().check(z.minLength(1, "Choose a role")),
    parent: z.string().check(z.minLength(1, "Choose a folder")),
    expirationTime: z.string().check(
      z.refine((end) => newEndProblem(end, ownEnd) === undefined, {
        error: ({ input }) => newEndProblem(String(input), ownEnd) ?? "",
      }),
    ),
    justification: z.string(),
  });

/** Of a batch, the end is of all; anything else is of one of the identities. */
const fieldOf = (path: string): string =>
  path.endsWith(".expirationTime")
    ? "expirationTime"
    : renamed(path, { requests: "identities", identityUid: "identities" });

interface GrantFormProps {
  /** uid of the screen's group. */
  readonly scope?: string | undefined;
  /** Initial uids. */
  readonly identities?: readonly string[];
  readonly role?: string | undefined;
  readonly onClose: () => void;
}

/** Grants a role at a group to one or more identities. */
export function GrantForm({ scope, identities = [], role, onClose }: GrantFormProps): ReactNode {
  const [opened] = useState<Grant>(() => ({
    identities,
    roleUid: role ?? "",
    parent: scope ?? "",
    expirationTime: "",
    justification: "",
  }));
  const [ownEnd, setOwnEnd] = useState<number>();
  const form = useResourceForm({
    schema: values(ownEnd),
    defaultValues: opened,
    fieldOf,
    draft: "grant access",
  });
  const [chosen, roleUid, parent] = useWatch({
    control: form.control,
    name: ["identities", "roleUid", "parent"],
  });
  const ends = useOwnEnd(parent);
  if (ends !== ownEnd) setOwnEnd(ends);
  const { reason } = useCan(roleBindings.create, parent || undefined);
  const isIdle = parent !== "" && chosen.length > 0 && chosen.every((uid) => !reaches(uid, parent));
  const idle = isIdle
    ? `${chosen.length === 1 ? "This machine belongs" : "These machines belong"} to another folder: the role would have no effect`
    : undefined;
  const client = useQueryClient();
  const grant = useGrant();
  const [existing, setExisting] = useState<RoleBinding>();
  const refused = async (error: unknown): Promise<never> => {
    if (error instanceof ApiError && error.code === "ALREADY_EXISTS") setExisting(await existingOf(error));
    throw error;
  };
  const submit = async (asked: Grant) => {
    setExisting(undefined);
    return grant(asked).catch(refused);
  };
  return (
    <FormDrawer
      title="Grant access"
      submitLabel="Grant access"
      savingLabel="Granting"
      opened
      page
      aside={<Review chosen={chosen} roleUid={roleUid} group={parent} existing={existing} />}
      form={form}
      disabled={reason ?? idle}
      behind={<FormRequests form={form} requests={(grant) => requestsOf(client, grant)} />}
      onClose={onClose}
      onCheck={
        isChecked(roleBindings.create)
          ? async (asked) => {
              setExisting(undefined);
              for (const request of requestsOf(client, asked))
                // oxlint-disable-next-line no-await-in-loop -- one, or a batch for all
                await checkWrite(request).catch(refused);
            }
          : undefined
      }
      onSubmit={submit}
      onSaved={(made) => {
        onClose();
        const [first, second] = made;
        const idle = made.filter((binding) => !takesEffect(binding));
        if (first && idle.length > 0)
          return toast(
            `Granted to ${made.length} identities, without effect for ${idle.length}: they belong to other folders`,
            { label: "Open role binding", target: bindingPage((idle[0] ?? first).uid) },
            "info",
          );
        if (first && !second)
          toast("Granted access", { label: "Open role binding", target: bindingPage(first.uid) });
        else toast(`Granted access to ${made.length} identities`);
      }}
    >
      <FormSection title="Who gets access">
        <WhoField organization={rootOf(parent)} />
        {chosen.length === 1 ? <AskedFor identity={chosen[0] ?? ""} group={parent} /> : null}
      </FormSection>
      <FormSection title="What they can do">
        <RoleField group={parent} machine={chosen.some((uid) => !isPerson(uid))} />
        <RoleSummary roleUid={roleUid} group={parent} />
      </FormSection>
      <FormSection title="Where" description="The role applies to this folder and everything below it.">
        <ParentGroupField scope={scope} create={roleBindings.create} />
        <AppliesTo group={parent} />
      </FormSection>
      <FormSection title="For how long">
        <EndField group={parent} />
      </FormSection>
      <JustificationField />
    </FormDrawer>
  );
}

/** Returns the existing binding named in an ALREADY_EXISTS error, if the caller can see it. */
async function existingOf({ status }: ApiError): Promise<RoleBinding | undefined> {
  const info = status?.details?.find((detail) => detail["@type"] === RESOURCE_INFO);
  const uid: unknown = info?.["resourceName"];
  return typeof uid === "string"
    ? call(roleBindings.get, { path: { uid } }).catch(() => undefined)
    : undefined;
}
