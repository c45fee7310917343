import type { ReactNode } from "react";

import type { Identity } from "~/contract/iam/identities";
import { Drawers, type DrawersProps } from "~/resource/form/drawers";

import { identityScreens } from "./data";
import { DeleteIdentity } from "./delete";
import { IdentityForm } from "./form";

export { IdentityActs } from "./acts";
export { AddKey } from "./add-key";
export { IdentityForm } from "./form";
export { RetireKey } from "./retire-key";
export { RemoveAccess } from "~/features/access/remove-access";

export const IdentityDrawers = (props: DrawersProps<Identity>): ReactNode => (
  <Drawers {...props} of={identityScreens} form={IdentityForm} remove={DeleteIdentity} />
);
