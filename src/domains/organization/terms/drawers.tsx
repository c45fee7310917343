import type { ReactNode } from "react";

import type { TermsDocument } from "platform-contract/iam/terms";
import { Drawers, type DrawersProps, type DeleteProps } from "~/frame/form/drawers";
import { DeleteRecord } from "~/frame/record/delete-record";

import { termsScreens } from "./data";
import { TermsForm } from "./form";

/** Confirms the deletion of a document. The service refuses to delete one that was accepted. */
const DeleteTerms = (props: DeleteProps<TermsDocument>): ReactNode => (
  <DeleteRecord
    of={termsScreens}
    {...props}
    consequence="No one has to accept this document anymore. An accepted document can only be deleted with its group."
  />
);

export const TermsDrawers = (props: DrawersProps<TermsDocument>): ReactNode => (
  <Drawers {...props} of={termsScreens} form={TermsForm} remove={DeleteTerms} />
);
