import { useInfiniteQuery, useQueries } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { infinite, rowsOf } from "~/api/queries/queries";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import { roles } from "platform-contract/iam/roles";
import { builtIn } from "~/domains/access/grants/roles";
import { scopeQuery, useScope } from "~/frame/scope/scope";
import { useTitle } from "~/frame/scope/title";
import type { PageView } from "~/frame/define";
import { useCleanAddress } from "~/frame/clean-address";
import { iconOf } from "~/frame/kind-icons";
import { useView } from "~/frame/use-view";
import { FilterToggle } from "~/ui/controls/filter-toggle";
import { shorten } from "~/ui/display/shorten";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { Page, PageHeader } from "~/ui/layout/page";

import {
  COMPARED_MAX,
  comparedOf,
  isBuiltIn,
  readCompare,
  roleScreens,
  rolesParam,
  type CompareSearch,
} from "./data";
import { CompareTable } from "./compare-table";
import { RolePick } from "./role-pick";
import classes from "./styles.module.css";

/** Compares the capabilities of roles side by side. */
export function RoleCompare(): ReactNode {
  const view = useCleanAddress(readCompare);
  const { show } = useView<CompareSearch & PageView>();
  const uids = comparedOf(view);
  const read = useQueries({ queries: uids.map(roleScreens.record) });
  const known = read.flatMap(({ data }) => (data ? [data] : []));
  const loading = read.some(({ isPending }) => isPending);
  useTitle(known.length > 0 ? `Compare ${known.map(roleScreens.nameOf).join(", ")}` : "Compare roles");
  const choose = (next: readonly string[]) => show({ roles: rolesParam(next) });
  return (
    <Page>
      <PageHeader
        icon={iconOf("roles")}
        title="Compare roles"
        description="Capabilities of each role, side by side."
      />
      <div className={classes["tools"]}>
        <AddRole shown={uids} onAdd={(uid) => choose([...uids, uid])} />
        <FilterToggle
          label="Only differences"
          checked={view.differences === "only"}
          onChange={(only) => show({ differences: only ? "only" : undefined })}
        />
      </div>
      {read.map(({ data, error, refetch }, index) =>
        error && !data ? (
          <FailedPart
            key={uids[index]}
            title={`The role ${shorten(uids[index] ?? "")} couldn't be loaded`}
            error={error}
            onRetry={refetch}
          />
        ) : null,
      )}
      {uids.length < 2 ? (
        <Notice>Add {uids.length === 0 ? "two roles" : "another role"} to compare.</Notice>
      ) : null}
      {loading ? <p className={classes["quiet"]}>Loading…</p> : null}
      {!loading && known.length > 0 ? (
        <CompareTable
          roles={known}
          onlyDifferences={view.differences === "only"}
          onRemove={(uid) => choose(uids.filter((each) => each !== uid))}
        />
      ) : null}
    </Page>
  );
}

interface AddRoleProps {
  readonly shown: readonly string[];
  readonly onAdd: (uid: string) => void;
}

/** Adds a role: a built-in one, or a custom one of the scope. */
function AddRole({ shown, onAdd }: AddRoleProps): ReactNode {
  const platform = useInfiniteQuery(builtIn);
  const own = useInfiniteQuery(
    infinite(roles.list, { ...scopeQuery(useScope()), order_by: "name", page_size: PAGE_SIZE_MAX }),
  );
  const custom = rowsOf(own.data).rows.filter((role) => !isBuiltIn(role));
  const others = [...rowsOf(platform.data).rows, ...custom].filter(({ uid }) => !shown.includes(uid));
  const error = platform.error ?? own.error;
  if (shown.length >= COMPARED_MAX)
    return <p className={classes["quiet"]}>Up to {COMPARED_MAX} roles can be compared.</p>;
  return (
    <div>
      <RolePick label="Another role" button="Add role" roles={others} onPick={({ uid }) => onAdd(uid)} />
      {error ? <p className={classes["hint"]}>Some roles couldn't be loaded. {error.message}</p> : null}
      {own.hasNextPage ? (
        <p className={classes["hint"]}>Only the first {PAGE_SIZE_MAX} roles are listed.</p>
      ) : null}
    </div>
  );
}
