import { useInfiniteQuery, useQueries } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CheckIcon, XIcon } from "lucide-react";

import { infinite, rowsOf } from "~/api/queries/queries";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import { roles, type Role } from "platform-contract/iam/roles";
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
import { IconButton } from "~/ui/controls/icon-button";
import { Dash } from "~/ui/display/dash";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { AppLink } from "~/ui/layout/link";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import {
  COMPARED_MAX,
  comparedOf,
  isBuiltIn,
  readCompare,
  roleScreens,
  rolesParam,
  type CompareSearch,
  kindWord,
} from "./data";
import { RolePick } from "./role-pick";
import classes from "./styles.module.css";
import { areasOf } from "./areas";

interface CompareTableProps {
  readonly roles: readonly Role[];
  readonly onlyDifferences: boolean;
  readonly onRemove: (uid: string) => void;
}

/** A row for each capability of any of the roles, and a column for each role. */
function CompareTable({ roles, onlyDifferences, onRemove }: CompareTableProps): ReactNode {
  const sets = roles.map(({ uid, capabilities }) => ({ uid, held: new Set(capabilities) }));
  const all = [...new Set(sets.flatMap(({ held }) => [...held]))];
  const differing = all.filter((wire) => sets.some(({ held }) => !held.has(wire)));
  const areas = areasOf(onlyDifferences ? differing : all);
  return (
    <>
      <p role="status">
        {differing.length === 0 && roles.length > 1
          ? "These roles have the same capabilities."
          : roles.length === 1
            ? `${formatQuantity(all.length, "capability", "capabilities")}. Choose another role to compare.`
            : `${formatCount(differing.length)} of ${formatCount(all.length)} capabilities differ.`}
      </p>
      <div className={classes["scroller"]} tabIndex={0} role="region" aria-label="Capabilities by role">
        <table className={classes["matrix"]}>
          <thead>
            <tr>
              <th scope="col">Capability</th>
              {roles.map((role) => (
                <th key={role.uid} scope="col">
                  <span className={classes["column"]}>
                    <AppLink target={roleScreens.link(role.uid)}>
                      <bdi>{roleScreens.nameOf(role)}</bdi>
                    </AppLink>
                    <IconButton
                      label={`Remove ${roleScreens.nameOf(role)}`}
                      tip="Remove"
                      onClick={() => onRemove(role.uid)}
                    >
                      <XIcon size={16} />
                    </IconButton>
                  </span>
                  <span className={classes["note"]}>
                    {kindWord(role)}, {formatCount(role.capabilities?.length ?? 0)}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          {areas.map(({ title, capabilities }) => (
            <tbody key={title}>
              <tr>
                <th scope="rowgroup" colSpan={roles.length + 1} className={classes["group"]}>
                  <span>{title}</span>
                </th>
              </tr>
              {capabilities.map(({ wire, name, meaning }) => (
                <tr key={wire}>
                  <th scope="row">
                    {meaning} <code className={classes["code"]}>{name}</code>
                  </th>
                  {sets.map(({ uid, held }) => (
                    <td key={uid}>
                      {held.has(wire) ? (
                        <>
                          <CheckIcon size={16} />
                          <VisuallyHidden>Yes</VisuallyHidden>
                        </>
                      ) : (
                        <Dash label="No" />
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </>
  );
}

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
