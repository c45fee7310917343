import type { ReactNode } from "react";

import type { Identity } from "platform-contract/iam/identities";
import { Drawers, type DrawersProps } from "~/frame/form/drawers";

import { identityScreens } from "./data";
import { DeleteIdentity } from "./delete";
import { IdentityForm } from "./form";

export { IdentityActs } from "./acts";
export { AddKey } from "./add-key";
export { IdentityForm } from "./form";
export { RetireKey } from "./retire-key";
export { RemoveAccess } from "~/domains/access/grants/remove-access";

export const IdentityDrawers = (props: DrawersProps<Identity>): ReactNode => (
  <Drawers {...props} of={identityScreens} form={IdentityForm} remove={DeleteIdentity} />
);
