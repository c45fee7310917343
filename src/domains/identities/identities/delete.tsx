import type { ReactNode } from "react";

import { parentOf, rootOf } from "platform-contract/aip";
import type { Identity } from "platform-contract/iam/identities";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { Counted, DeleteRecord } from "~/frame/record/delete-record";
import type { DeleteProps } from "~/frame/form/drawers";
import { useCount } from "~/frame/record/use-count";
import { uidToParam } from "~/frame/scope/uid-param";
import type { LinkTarget } from "~/ui/layout/link";

import { identityScreens } from "./data";

/** Links to all bindings of an identity. A person can have roles in several organizations. */
const bindingsOf = (uid: string): LinkTarget => ({
  to: "/role-bindings",
  search: {
    identity: uidToParam(uid),
    group: parentOf(uid) === "" ? undefined : uidToParam(rootOf(uid)),
  },
});

/** Confirms the deletion of an identity, and shows how many role bindings are deleted with it. */
export function DeleteIdentity(props: DeleteProps<Identity>): ReactNode {
  const { uid } = props.record;
  const bindings = useCount(roleBindings.list, { identity: uid }, uid);
  const { count, pending } = bindings;
  return (
    <DeleteRecord
      of={identityScreens}
      {...props}
      consequence="Workloads using this identity will lose access immediately. This can't be undone."
      typeName={count === undefined || Number(count) > 0}
      undecided={pending ? "Still counting its role bindings" : undefined}
    >
      <Counted
        {...bindings}
        what="role bindings"
        one="role binding is removed too"
        many="role bindings are removed too"
        none="It has no roles."
        link={bindingsOf(uid)}
      />
    </DeleteRecord>
  );
}
