import type { ReactNode } from "react";

import type { TermsDocument } from "~/contract/iam/terms";
import { DeleteRecord } from "~/resource/delete-record";
import type { DeleteProps } from "~/resource/drawers";

import { termsScreens } from "./data";

/** Confirms the deletion of a document. The service refuses to delete one that was accepted. */
export const DeleteTerms = (props: DeleteProps<TermsDocument>): ReactNode => (
  <DeleteRecord
    of={termsScreens}
    {...props}
    consequence="Nobody has to accept this document any more. A document that was accepted cannot be deleted: it goes with its group."
  />
);
