import type { ReactNode } from "react";

import type { TermsDocument } from "platform-contract/iam/terms";
import { TextField } from "~/ui/form/fields";
import { FormDrawer } from "~/ui/form/form-drawer";
import { ParentGroupField } from "~/frame/form/parent-group-field";
import type { FormProps } from "~/frame/form/drawers";
import { useRecordForm } from "~/frame/form/use-record-form";

import { termsScreens } from "./data";

const valuesOf = (record: TermsDocument | undefined) => ({
  name: record?.name ?? "",
  label: record?.label ?? "",
  url: record?.url ?? "",
});
const bodyOf = ({ name, label, url }: ReturnType<typeof valuesOf>) => ({
  name: name.trim(),
  label: label.trim(),
  url: url.trim(),
});

/** Creates or edits a document. Once it is accepted, the service rejects changes to its name and address. */
export function TermsForm(props: FormProps<TermsDocument>): ReactNode {
  const { record, scope } = props;
  const drawer = useRecordForm(termsScreens, { ...props, values: valuesOf, body: bodyOf });
  return (
    <FormDrawer {...drawer}>
      <TextField
        name="name"
        label="Name"
        required
        code
        hint={
          record
            ? "Can't be changed once accepted. Create a new document for a new version."
            : "Document and version, such as dpa.v1"
        }
      />
      {record ? null : (
        <ParentGroupField scope={scope} hint="The document applies to it and everything below." />
      )}
      <TextField
        name="label"
        label="Title"
        required
        hint="Shown to people, such as Data Privacy Agreement."
      />
      <TextField
        name="url"
        label="Link"
        type="url"
        required
        code
        hint={
          record
            ? "To the full text. Can't be changed once accepted."
            : "To the full text, starting with https://"
        }
      />
    </FormDrawer>
  );
}
