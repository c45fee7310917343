import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import type { IdentityProvider } from "platform-contract/iam/identity-providers";
import { paramToUid } from "~/frame/scope/uid-param";
import { Drawers, type DrawersProps } from "~/frame/form/drawers";
import { RecordLoader } from "~/frame/form/record-loader";

import { identityProviderScreens, MAPPING_DRAWERS, mappingScreens, type ProviderView } from "./data";
import { IdentityProviderForm } from "./form";
import { ChangeMapping, MapGroups } from "./mapping-form";
import { isKeyOf } from "~/ui/keys";

export { IssueToken } from "./scim-token";
export { RevokeToken, SwitchScim } from "./scim-change";

export function IdentityProviderDrawers(props: DrawersProps<IdentityProvider>): ReactNode {
  const { drawer = "", item, onClose } = props;
  const { item: mapping }: ProviderView = useSearch({ strict: false });
  if (drawer === "map") return item && <MapGroups key={item} provider={item} onClose={onClose} />;
  if (isKeyOf(MAPPING_DRAWERS, drawer))
    return (
      <Drawers
        of={mappingScreens}
        drawer={MAPPING_DRAWERS[drawer]}
        item={mapping && paramToUid(mapping)}
        form={ChangeMapping}
        onClose={onClose}
        onDeleted={onClose}
      />
    );
  if (drawer === "create" && item !== undefined)
    return (
      <RecordLoader
        noun="identity provider"
        uid={item}
        query={identityProviderScreens.record}
        onClose={onClose}
      >
        {(like) => <IdentityProviderForm like={like} scope={parentOf(like.uid)} onClose={onClose} />}
      </RecordLoader>
    );
  return <Drawers {...props} of={identityProviderScreens} form={IdentityProviderForm} />;
}
