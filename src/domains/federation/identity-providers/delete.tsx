import type { ReactNode } from "react";

import {
  externalGroupRoleMappings,
  type ExternalGroupRoleMapping,
} from "platform-contract/iam/external-group-role-mappings";
import type { IdentityProvider } from "platform-contract/iam/identity-providers";
import { Counted, DeleteRecord } from "~/frame/record/delete-record";
import type { DeleteProps } from "~/frame/form/drawers";
import { useCount } from "~/frame/record/use-count";

import { identityProviderScreens, mappingScreens } from "./data";

/** Confirms the deletion of a provider. The service refuses to delete one that has mappings. */
export function DeleteIdentityProvider(props: DeleteProps<IdentityProvider>): ReactNode {
  const { uid } = props.record;
  const count = useCount(externalGroupRoleMappings.list, { identityProviderUid: uid }, uid);
  return (
    <DeleteRecord
      of={identityProviderScreens}
      {...props}
      typeName
      consequence="People can no longer sign in through this provider, and those who did are signed out. Their identities and role bindings stay, but their accounts can't be restored."
    >
      <Counted
        {...count}
        what="group mappings"
        one="group mapping must be deleted first"
        many="group mappings must be deleted first"
        none="It has no group mappings."
      />
    </DeleteRecord>
  );
}

/** Confirms the deletion of a mapping, which also removes the roles it granted. */
export const DeleteMapping = (props: DeleteProps<ExternalGroupRoleMapping>): ReactNode => (
  <DeleteRecord
    of={mappingScreens}
    {...props}
    consequence="Members of the group lose the role immediately, unless another mapping or role binding also grants it."
  />
);
