import type { ReactNode } from "react";

import { useDelete } from "~/api/mutations/writes";
import { identities, type Identity } from "~/contract/iam/identities";
import { roleBindings } from "~/contract/iam/role-bindings";
import { ConfirmDelete } from "~/ui/overlay/confirm-delete";
import { toast } from "~/ui/feedback/toast-store";
import { Counted } from "~/resource/delete-record";
import { useCount } from "~/resource/use-count";

import { nameOf } from "./words";

interface DeleteIdentityProps {
  readonly identity: Identity;
  readonly onClose: () => void;
  /** After it is gone, or was gone already. */
  readonly onDeleted: () => void;
}

/** Asks before an identity is deleted, and says what goes with it. */
export function DeleteIdentity({ identity, onClose, onDeleted }: DeleteIdentityProps): ReactNode {
  const { uid } = identity;
  const name = nameOf(identity);
  const { mutateAsync } = useDelete(identities);
  const bindings = useCount(roleBindings.list, { identity: uid }, uid);
  const { count, pending } = bindings;
  return (
    <ConfirmDelete
      opened
      onClose={onClose}
      kind="identity"
      name={name}
      consequence="Tokens that it recognises are refused from then on. This cannot be undone."
      typeName={count === undefined || Number(count) > 0}
      undecided={pending ? "Its role bindings are being counted" : undefined}
      onDelete={() => mutateAsync({ uid })}
      onDeleted={() => {
        toast(`Deleted identity ${name}`);
        onDeleted();
      }}
    >
      <Counted
        {...bindings}
        what="role bindings"
        one="role binding goes with it"
        many="role bindings go with it"
        none="It holds no role."
      />
    </ConfirmDelete>
  );
}
