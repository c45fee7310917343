import type { ReactNode } from "react";

import type { AccountAssociation } from "platform-contract/iam/account-associations";
import { Drawers, type DrawersProps } from "~/frame/form/drawers";

import { associationScreens } from "./data";
import { DeleteAssociation } from "./delete";
import { AssociationForm } from "./form";

export const AssociationDrawers = (props: DrawersProps<AccountAssociation>): ReactNode => (
  <Drawers {...props} of={associationScreens} form={AssociationForm} remove={DeleteAssociation} />
);
