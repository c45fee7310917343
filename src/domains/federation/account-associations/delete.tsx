import type { ReactNode } from "react";

import type { AccountAssociation } from "platform-contract/iam/account-associations";
import { DeleteRecord } from "~/frame/record/delete-record";
import type { DeleteProps } from "~/frame/form/drawers";

import { associationScreens } from "./data";

/** Confirms the deletion of an association. */
export const DeleteAssociation = (props: DeleteProps<AccountAssociation>): ReactNode => (
  <DeleteRecord
    of={associationScreens}
    {...props}
    consequence="Platform services lose access to these accounts. The group, its identities and the accounts aren't affected."
  />
);
