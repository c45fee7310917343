import type { ReactNode } from "react";

import {
  externalGroupRoleMappings,
  type ExternalGroupRoleMapping,
} from "~/contract/iam/external-group-role-mappings";
import type { IdentityProvider } from "~/contract/iam/identity-providers";
import { Counted, DeleteRecord } from "~/resource/delete-record";
import type { DeleteProps } from "~/resource/drawers";
import { useCount } from "~/resource/use-count";

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
      consequence="Nobody can sign in through it any more, and people who did are signed out. Their identities and role bindings stay, but their accounts do not come back."
    >
      <Counted
        {...count}
        what="group mappings"
        one="group mapping belongs to it: delete that first"
        many="group mappings belong to it: delete those first"
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
    consequence="Members of the group lose the role at once, unless another mapping or somebody gave it to them as well."
  />
);
