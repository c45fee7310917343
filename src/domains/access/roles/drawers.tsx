import { type ReactNode, useState } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";

import { ApiError } from "platform-client/errors";
import { parentOf } from "platform-contract/aip";
import type { Role } from "platform-contract/iam/roles";
import { useScope } from "~/frame/scope/scope";
import { Drawers, type DrawersProps, type DeleteProps } from "~/frame/form/drawers";
import { RecordLoader } from "~/frame/form/record-loader";
import { infinite, rowsOf } from "~/api/queries/queries";
import { roleBindings, type RoleBinding } from "platform-contract/iam/role-bindings";
import { DeleteRecord } from "~/frame/record/delete-record";
import { useCount } from "~/frame/record/use-count";
import { groupNameOf, whoOf } from "~/domains/access/grants/bindings";
import { bindingPage } from "~/domains/access/grants/links";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";
import type { DeletionRefusal } from "~/ui/overlay/confirm-delete";

import { isBuiltIn, roleScreens, bindingsOf } from "./data";
import { RoleForm } from "./form";
import choiceClasses from "./choice.module.css";
import classes from "./styles.module.css";

/** Maximum number of role bindings to name. */
const NAMED = 5;

const isInUse = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.preconditions.some(({ type }) => type === "RESOURCE_IN_USE");

/** Confirms the deletion of a role. A role in use cannot be deleted, so this shows who has it. */
function DeleteRole(props: DeleteProps<Role>): ReactNode {
  const { uid } = props.record;
  const counted = useCount(roleBindings.list, { role: uid }, uid);
  const some = useInfiniteQuery(
    infinite(roleBindings.list, { role: uid, order_by: "created_at desc", page_size: NAMED }),
  );
  const { rows, total } = rowsOf(some.data);
  const [refused, setRefused] = useState<ApiError>();
  const left = rows.length > 0 ? (total ?? rows.length) : (counted.count ?? 0);
  const inUse = Number(left) > 0;
  const onRefused = async (error: unknown) => {
    // The role may have been granted since the count.
    if (isInUse(error)) await some.refetch();
    setRefused(isInUse(error) ? error : undefined);
  };
  return (
    <DeleteRecord
      of={roleScreens}
      {...props}
      consequence={inUse ? undefined : "This role can no longer be granted. This can't be undone."}
      undecided={counted.pending ? "Still counting its role bindings" : undefined}
      blocked={inUse && !refused ? "Someone has this role" : undefined}
      onRefused={onRefused}
      refusal={refused && refusalOf(refused, rows, left, uid)}
    >
      {refused ? null : inUse ? (
        <Blocking rows={rows} count={left} role={uid} />
      ) : counted.pending ? (
        <p className={classes["quiet"]}>Counting role bindings…</p>
      ) : counted.count === undefined ? (
        <Notice title="Its role bindings">
          We couldn't check whether anyone has this role. {counted.why}
        </Notice>
      ) : (
        <p className={classes["quiet"]}>No one has this role.</p>
      )}
    </DeleteRecord>
  );
}

const nameOf = (binding: RoleBinding): string => `${whoOf(binding)} in ${groupNameOf(binding)}`;

/** Explains the service's refusal, with the blocking role bindings that the user can see. */
function refusalOf(
  error: ApiError,
  rows: readonly RoleBinding[],
  count: number | bigint,
  role: string,
): DeletionRefusal {
  const { message, requestId } = errorFacts(error);
  if (rows.length === 0) return { message, requestId };
  const rest = Number(count) - rows.length;
  return {
    message: `${formatQuantity(count, "role binding grants", "role bindings grant")} this role. Delete first:`,
    blockers: [
      ...rows.map((binding) => ({ label: nameOf(binding), link: bindingPage(binding.uid) })),
      ...(rest > 0 ? [{ label: `and ${formatCount(rest)} more`, link: bindingsOf(role) }] : []),
    ],
    requestId,
  };
}

interface BlockingProps {
  readonly rows: readonly RoleBinding[];
  readonly count: number | bigint;
  readonly role: string;
}

const Blocking = ({ rows, count, role }: BlockingProps): ReactNode => (
  <Notice title="This role is in use">
    <p>
      Delete{" "}
      <AppLink target={bindingsOf(role)}>{formatQuantity(count, "role binding", "role bindings")}</AppLink>{" "}
      first:
    </p>
    <ul className={choiceClasses["blockers"]}>
      {rows.map((binding) => (
        <li key={binding.uid}>
          <AppLink target={bindingPage(binding.uid)}>
            <bdi>{nameOf(binding)}</bdi>
          </AppLink>
        </li>
      ))}
      {rows.length > 0 && Number(count) > rows.length ? (
        <li>and {formatCount(Number(count) - rows.length)} more</li>
      ) : null}
    </ul>
  </Notice>
);

/** The drawers for roles. Creating one with `item` duplicates that role. */
export function RoleDrawers(props: DrawersProps<Role>): ReactNode {
  const { drawer, item, onClose } = props;
  const { group = props.scope } = useScope();
  if (drawer !== "create" || item === undefined)
    return <Drawers {...props} of={roleScreens} form={RoleForm} remove={DeleteRole} />;
  return (
    <RecordLoader noun="role" uid={item} query={roleScreens.record} onClose={onClose}>
      {(role) => (
        <RoleForm
          template={role}
          scope={group ?? (isBuiltIn(role) ? undefined : parentOf(role.uid))}
          onClose={onClose}
        />
      )}
    </RecordLoader>
  );
}
