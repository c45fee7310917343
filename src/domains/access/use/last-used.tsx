import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { infinite, rowsOf } from "~/api/queries/queries";
import { parentOf } from "platform-contract/aip";
import type { CapabilityUse } from "platform-contract/iam/capability-use";
import { roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import { roles, type Role } from "platform-contract/iam/roles";
import { identityUidOf } from "~/domains/access/grants/bindings";
import { Time } from "~/ui/display/time";
import { useSettled } from "~/ui/use-settled";
import { errorFacts } from "~/ui/feedback/error-facts";
import { LoadingCell, UnknownCell } from "~/ui/table/cell-states";

import { totalOf, usesOf, type UseFacts } from "./facts";
import { useOf } from "./queries";

interface UseOfBinding {
  /** Undefined while it is read. */
  readonly known:
    | { readonly facts: UseFacts; readonly role: Role; readonly used: readonly CapabilityUse[] }
    | undefined;
  /** Why it is unknown. */
  readonly why: string | undefined;
}

/**
 * What the identity of a binding has used of its role, where the binding counts. `everywhere`: reads its use in all
 * groups, once for all of its bindings.
 */
export function useUseOfBinding(binding: RoleBinding, everywhere = false): UseOfBinding {
  const settled = useSettled();
  const [identity, group, uid] = [identityUidOf(binding), parentOf(binding.uid), roleUidOf(binding)];
  const use = useQuery({ ...useOf(identity, everywhere ? undefined : group), enabled: settled });
  const read = useInfiniteQuery({
    ...infinite(roles.list, { "uidp.ids": [uid], page_size: 1 }),
    enabled: settled,
  });
  const role = rowsOf(read.data).rows.find((one) => one.uid === uid);
  const error = use.error ?? read.error;
  if (error) return { known: undefined, why: errorFacts(error).message };
  if (use.data?.complete === false) return { known: undefined, why: "More was used than could be read" };
  if (!use.data || !read.data) return { known: undefined, why: undefined };
  if (!role) return { known: undefined, why: "Your role doesn't let you view what this role can do" };
  const capabilities = new Set(role.capabilities);
  return {
    known: { facts: use.data, role, used: usesOf(use.data, { identity, group, capabilities }) },
    why: undefined,
  };
}

interface LastUsedProps {
  readonly binding: RoleBinding;
  /** True in a table: what isn't known of the time before is a tip. */
  readonly short?: boolean;
  /** True among other bindings of the same identity. */
  readonly everywhere?: boolean;
}

/** When the identity of a binding last used a capability of its role there or below. */
export function LastUsed({ binding, everywhere, short = false }: LastUsedProps): ReactNode {
  const { known, why } = useUseOfBinding(binding, everywhere);
  if (why !== undefined) return <UnknownCell why={why} />;
  if (!known) return <LoadingCell />;
  const { last } = totalOf(known.used);
  const { since } = known.facts;
  if (last !== undefined) return <Time value={last} />;
  if (since === undefined) return <UnknownCell why="Nothing is recorded yet" />;
  // Recorded for as long as it exists.
  if (binding.createTime !== undefined && Date.parse(binding.createTime) >= Date.parse(since))
    return <span data-tip="Use is counted once a minute">No use counted yet</span>;
  return (
    <span data-tip={short ? "What was before is unknown" : undefined}>
      None {short ? null : "recorded "}since <Time value={since} />
      {short ? null : "; what was before is unknown"}
    </span>
  );
}
