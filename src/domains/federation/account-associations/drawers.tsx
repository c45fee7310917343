import type { ReactNode } from "react";

import type { AccountAssociation } from "platform-contract/iam/account-associations";
import { Drawers, type DrawersProps, type DeleteProps } from "~/frame/form/drawers";
import { DeleteRecord } from "~/frame/record/delete-record";

import { associationScreens } from "./data";
import { AssociationForm } from "./form";

/** Confirms the deletion of an association. */
const DeleteAssociation = (props: DeleteProps<AccountAssociation>): ReactNode => (
  <DeleteRecord
    of={associationScreens}
    {...props}
    consequence="Platform services lose access to these accounts. The group, its identities and the accounts aren't affected."
  />
);

export const AssociationDrawers = (props: DrawersProps<AccountAssociation>): ReactNode => (
  <Drawers {...props} of={associationScreens} form={AssociationForm} remove={DeleteAssociation} />
);
