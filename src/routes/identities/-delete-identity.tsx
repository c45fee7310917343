import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { total } from "~/api/queries";
import { useDelete } from "~/api/writes";
import { identities, type Identity } from "~/contract/iam/identities";
import { roleBindings } from "~/contract/iam/role-bindings";
import { ConfirmDelete } from "~/kit/confirm-delete";
import { Notice } from "~/kit/notice";
import { formatQuantity } from "~/kit/numbers";
import { toast } from "~/kit/toast-store";

import { nameOf } from "./-identity-words";
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
  // An unscoped list answers "none" for what may not be seen (contract B7): that is not a count.
  const { allowed } = useCan(roleBindings.list, uid);
  const counted = useQuery({ ...total(roleBindings.list, { identity: uid }), enabled: allowed });
  const bindings = allowed ? counted.data : undefined;
  return (
    <ConfirmDelete
      opened
      onClose={onClose}
      kind="identity"
      name={name}
      consequence="Tokens that it recognises are refused from then on. This cannot be undone."
      typeName={bindings === undefined || Number(bindings) > 0}
      onDelete={() => mutateAsync({ uid })}
      onDeleted={() => {
        toast(`Deleted identity ${name}`);
        onDeleted();
      }}
    >
      <Bindings count={bindings} pending={counted.isLoading} />
    </ConfirmDelete>
  );
}

function Bindings({ count, pending }: { count: number | bigint | undefined; pending: boolean }): ReactNode {
  if (pending) return <p className={classes["quiet"]}>Counting its role bindings…</p>;
  if (count === undefined)
    return <Notice>Its role bindings go with it. How many they are could not be counted.</Notice>;
  if (Number(count) === 0) return <p className={classes["quiet"]}>It holds no role.</p>;
  return <Notice>{formatQuantity(count, "role binding goes", "role bindings go")} with it.</Notice>;
}
