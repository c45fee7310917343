import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { Identity } from "platform-contract/iam/identities";
import { Drawers, type DrawersProps, type FormProps } from "~/frame/form/drawers";

import { OwnerForm } from "~/domains/access/machine-owners/owner-form";
import { RecordLoader } from "~/frame/form/record-loader";
import { PULL_TOKEN } from "~/domains/identities/pull-token/links";
import { paramToUid } from "~/frame/scope/uid-param";
import { onDemand } from "~/ui/on-demand";

import { identityScreens } from "./data";
import { IdentityForm } from "./form";
import { fromIdentity } from "./values";

// Signs tokens: the code of that loads with the dialog.
const PullToken = onDemand(
  async () => (await import("~/domains/identities/pull-token/pull-token")).PullToken,
);

export { IdentityActs } from "./acts";
export { AddKey } from "./add-key";
export { IdentityForm } from "./form";
export { RetireKey } from "./retire-key";
export { ReplaceToken } from "~/domains/identities/pull-token/replace-token";
export { RemoveAccess } from "~/domains/access/grants/remove-access";

/** The form for a new identity that begins with what another one has; empty if the user can't see that. */
function CreateLike({ item, ...props }: FormProps<Identity> & { readonly item: string }): ReactNode {
  const { data, isPending } = useQuery(identityScreens.record(item));
  const { role }: { readonly role?: string } = useSearch({ strict: false });
  return isPending ? null : (
    <IdentityForm {...props} from={data && fromIdentity(data)} role={role && paramToUid(role)} />
  );
}

export function IdentityDrawers(props: DrawersProps<Identity>): ReactNode {
  const { drawer, item, scope, onClose } = props;
  if (drawer === PULL_TOKEN) return <PullToken scope={scope} repo={item} onClose={onClose} />;
  if (drawer === "owner")
    return (
      <RecordLoader noun="identity" uid={item} query={identityScreens.record} onClose={onClose}>
        {(machine) => <OwnerForm machine={machine} onClose={onClose} />}
      </RecordLoader>
    );
  if (drawer === "create" && item !== undefined)
    return <CreateLike item={item} scope={scope} onClose={onClose} />;
  return <Drawers {...props} of={identityScreens} form={IdentityForm} />;
}
