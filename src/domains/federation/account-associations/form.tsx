import type { ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { useInfiniteQuery } from "@tanstack/react-query";

import type { AccountAssociation } from "platform-contract/iam/account-associations";
import { TextAreaField, TextField, SelectField } from "~/ui/form/fields";
import { Disclosure } from "~/ui/form/disclosure";
import { FormDrawer } from "~/ui/form/form-drawer";
import { FormSection } from "~/ui/form/form-section";
import { KeyValueField } from "~/ui/form/key-value-field";
import { RowsField } from "~/ui/form/rows-field";
import { ParentGroupField } from "~/frame/form/parent-group-field";
import type { FormProps } from "~/frame/form/drawers";
import { useRecordForm } from "~/frame/form/use-record-form";
import { infinite, rowsOf } from "~/api/queries/queries";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import { identities } from "platform-contract/iam/identities";
import { errorFacts } from "~/ui/feedback/error-facts";
import { shorten } from "~/ui/display/shorten";

import { associationScreens, holdsMember, MEMBERS, serviceWord } from "./data";
import {
  ACCOUNTS,
  BLANK_INSTALLATION,
  BLANK_SERVICE,
  fieldOf,
  fromAssociation,
  toBody,
  type AssociationValues,
  bindingOf,
} from "./values";

const serviceIdentities = (group: string) =>
  infinite(identities.list, {
    "uidp.children_of": group,
    relationshipType: "RELATIONSHIP_TYPE_SERVICE_PRINCIPAL",
    order_by: "name",
    page_size: PAGE_SIZE_MAX,
  });

interface ServiceFieldProps {
  readonly name: string;
  /** "" until the user chooses one. */
  readonly group: string;
}

/** Selects a service identity of the group, which implies the service. */
function ServiceField({ name, group }: ServiceFieldProps): ReactNode {
  const { control } = useFormContext();
  const chosen: string = useWatch({ control, name });
  const { data, error } = useInfiniteQuery({ ...serviceIdentities(group), enabled: group !== "" });
  const options = rowsOf(data).rows.flatMap(({ uid, name: called, servicePrincipal }) =>
    servicePrincipal === undefined
      ? []
      : [
          {
            value: bindingOf(servicePrincipal, uid),
            label: `${serviceWord(servicePrincipal)}: ${called || shorten(uid)}`,
          },
        ],
  );
  const known = chosen === "" || options.some(({ value }) => value === chosen);
  const [principal = "", uid = ""] = chosen.split(" ");
  const hint = error
    ? `The identities couldn't be loaded. ${errorFacts(error).message}`
    : data && options.length === 0
      ? "No service identities here yet. Create one in this group with the type Platform service."
      : undefined;
  return (
    <SelectField
      name={name}
      label="Identity"
      required
      options={[
        { value: "", label: "Choose an identity" },
        ...options,
        ...(known ? [] : [{ value: chosen, label: `${serviceWord(principal)}: ${shorten(uid)}` }]),
      ]}
      {...(hint !== undefined && { hint })}
    />
  );
}

const leaves = (): readonly string[] => ACCOUNTS;

/** Creates or edits the association of a group with its external accounts. */
export function AssociationForm(props: FormProps<AccountAssociation>): ReactNode {
  const { record, scope } = props;
  const drawer = useRecordForm(associationScreens, {
    ...props,
    values: fromAssociation,
    body: toBody,
    fieldOf,
    leaves,
  });
  const [amazon, google, azure, github, services] = MEMBERS.map(
    (each) => record !== undefined && holdsMember(record, each),
  );
  return (
    <FormDrawer {...drawer} page>
      <FormSection title="Details">
        <TextField name="name" label="Name" required hint="1 to 63 characters." />
        {record ? null : <ParentGroupField scope={scope} />}
        <TextAreaField name="description" label="Description" rows={2} hint="Optional." />
      </FormSection>
      <FormSection title="Accounts" description="Open the ones to associate.">
        <div>
          <Disclosure title="AWS" open={amazon ?? false}>
            <TextField name="amazon.account" label="Account number" code hint="12 digits." />
          </Disclosure>
          <Disclosure title="Google Cloud" open={google ?? false}>
            <TextField name="google.projectId" label="Project ID" code hint="Such as freight-prod." />
            <TextField name="google.projectNumber" label="Project number" code hint="Digits." />
          </Disclosure>
          <Disclosure title="Azure" open={azure ?? false}>
            <TextField name="azure.tenantId" label="Tenant ID" code hint="The UUID of the Entra tenant." />
            <KeyValueField
              name="azure.clientIds"
              label="Client IDs"
              keyLabel="Component"
              valueLabel="Application ID"
              addLabel="Add client ID"
              hint="The application that each component signs in as."
            />
          </Disclosure>
          <Disclosure title="GitHub" open={github ?? false}>
            <RowsField name="github" label="App installations" one="installation" blank={BLANK_INSTALLATION}>
              {(row) => (
                <>
                  <TextField name={`${row}.app`} label="App ID" required code hint="Digits." />
                  <TextField name={`${row}.installationId`} label="Installation ID" code hint="Digits." />
                  <TextField
                    name={`${row}.name`}
                    label="Account"
                    hint="The GitHub user or organization. Optional."
                  />
                </>
              )}
            </RowsField>
          </Disclosure>
          <Disclosure title="Platform services" open={services ?? false}>
            <Services record={record} />
          </Disclosure>
        </div>
      </FormSection>
    </FormDrawer>
  );
}

/** The identities that platform services act as, all directly in the group. */
function Services({ record }: { readonly record: AccountAssociation | undefined }): ReactNode {
  const { control } = useFormContext<AssociationValues & { parent: string }>();
  const parent = useWatch({ control, name: "parent" });
  return (
    <RowsField
      name="services"
      label="Service bindings"
      one="service"
      blank={BLANK_SERVICE}
      hint="Each service needs its own identity, directly in this group."
    >
      {(row) => <ServiceField name={`${row}.binding`} group={record?.uid ?? parent} />}
    </RowsField>
  );
}
