import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { batched, type FromBatch } from "~/api/queries/batched";
import { byUids, requestByUids } from "~/api/queries/by-uids";
import { identities, type Identity } from "platform-contract/iam/identities";
import type { RoleBinding } from "platform-contract/iam/role-bindings";
import { lastSeen, unseen } from "~/domains/identities/identities/last-seen";
import { Dash } from "~/ui/display/dash";
import { Time } from "~/ui/display/time";
import { errorFacts } from "~/ui/feedback/error-facts";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";
import { useSettled } from "~/ui/use-settled";

import { identityUidOf } from "./bindings";
import classes from "./styles.module.css";

/** Key of these queries, to refresh them with the rows. Under the collection, so that writes to it refresh them too. */
export const HOLDERS_SEEN = [identities.collection, "of bindings"] as const;

const read = batched<Identity>((uids) => byUids(identities.list, uids));

const holderQuery = (uid: string) =>
  queryOptions({
    queryKey: [...HOLDERS_SEEN, uid] as const,
    queryFn: () => read(uid),
    meta: {
      requests: (data: FromBatch<Identity> | undefined) => [
        requestByUids(identities.list, data?.uids ?? [uid]),
      ],
    },
  });

/** When the identity of a binding last signed in. The binding does not say so: one request reads all that are in view. */
export function HolderSeen({ binding }: { readonly binding: RoleBinding }): ReactNode {
  const settled = useSettled();
  const { data, error } = useQuery({ ...holderQuery(identityUidOf(binding)), enabled: settled });
  if (error) return <Unknown why={errorFacts(error).message} />;
  if (!data)
    return (
      <span className={classes["quiet"]}>
        <span aria-hidden="true">…</span>
        <VisuallyHidden>Loading</VisuallyHidden>
      </span>
    );
  if (!data.record) return <Unknown why="Your role doesn't let you view this identity" />;
  const seen = lastSeen(data.record);
  return seen === undefined ? <span className={classes["quiet"]}>{unseen()}</span> : <Time value={seen} />;
}

/** The same of many bindings, as text: a time as on the wire, "never" or "unknown". Rejects with an ApiError. */
export async function readSeen(bindings: readonly RoleBinding[]): Promise<(binding: RoleBinding) => string> {
  const found = await byUids(identities.list, bindings.map(identityUidOf));
  const known = new Map(found.map((identity) => [identity.uid, identity]));
  return (binding) => {
    const identity = known.get(identityUidOf(binding));
    return identity ? (lastSeen(identity) ?? unseen()) : "unknown";
  };
}

const Unknown = ({ why }: { readonly why: string }): ReactNode => (
  <span data-tip={why}>
    <Dash label={why} />
  </span>
);
