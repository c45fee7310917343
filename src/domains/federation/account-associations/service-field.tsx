import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";

import { infinite, rowsOf } from "~/api/queries/queries";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import { identities } from "platform-contract/iam/identities";
import { errorFacts } from "~/ui/feedback/error-facts";
import { SelectField } from "~/ui/form/fields";
import { shorten } from "~/ui/display/shorten";

import { serviceWord } from "./data";
import { bindingOf } from "./values";

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
export function ServiceField({ name, group }: ServiceFieldProps): ReactNode {
  const { control } = useFormContext();
  const chosen = useWatch({ control, name }) as string;
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
