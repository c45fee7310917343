import type { ReactNode } from "react";

import { useDelete } from "~/api/writes";
import { identities, type Identity } from "~/contract/iam/identities";
import { ConfirmDelete } from "~/kit/confirm-delete";
import { Notice } from "~/kit/notice";
import { formatQuantity } from "~/kit/numbers";
import { toast } from "~/kit/toast-store";

import { nameOf } from "./-identity-words";
import { useBindingCount } from "./-use-binding-count";
import classes from "./identities.module.css";

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
  const bindings = useBindingCount(uid);
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
      <Bindings {...bindings} />
    </ConfirmDelete>
  );
}

function Bindings({ count, pending, why }: ReturnType<typeof useBindingCount>): ReactNode {
  if (pending) return <p className={classes["quiet"]}>Counting its role bindings…</p>;
  if (count === undefined)
    return <Notice title="Its role bindings go with it">How many they are is not known. {why}</Notice>;
  if (Number(count) === 0) return <p className={classes["quiet"]}>It holds no role.</p>;
  return <Notice>{formatQuantity(count, "role binding goes", "role bindings go")} with it.</Notice>;
}
