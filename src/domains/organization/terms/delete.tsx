import type { ReactNode } from "react";

import type { TermsDocument } from "platform-contract/iam/terms";
import { DeleteRecord } from "~/frame/record/delete-record";
import type { DeleteProps } from "~/frame/form/drawers";

import { termsScreens } from "./data";

/** Confirms the deletion of a document. The service refuses to delete one that was accepted. */
export const DeleteTerms = (props: DeleteProps<TermsDocument>): ReactNode => (
  <DeleteRecord
    of={termsScreens}
    {...props}
    consequence="No one has to accept this document anymore. An accepted document can only be deleted with its group."
  />
);
