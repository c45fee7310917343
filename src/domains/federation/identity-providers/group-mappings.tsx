import { useInfiniteQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { infinite, rowsOf } from "~/api/queries/queries";
import {
  BATCH_DELETE_MAX,
  externalGroupRoleMappings,
  type ExternalGroupRoleMapping,
} from "platform-contract/iam/external-group-role-mappings";
import { useView } from "~/frame/use-view";
import { ShowMore } from "~/ui/table/show-more";
import { ActionButton } from "~/ui/controls/action-button";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { FailedPart } from "~/ui/feedback/failed-part";
import { RowCheckbox } from "~/ui/table/row-checkbox";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";
import { ActionMenu, type MenuAction } from "~/ui/overlay/menu";
import { onDemand } from "~/ui/on-demand";

import type { ProviderView } from "./data";
import { RoleName } from "./role-name";
import classes from "./styles.module.css";

const DeleteMappings = onDemand(async () => (await import("./delete-mappings")).DeleteMappings);

/** Lists the provider's groups that are mapped to a role, with actions. */
export function GroupMappings({ provider }: { readonly provider: string }): ReactNode {
  const query = useInfiniteQuery(
    infinite(
      externalGroupRoleMappings.list,
      { identityProviderUid: provider, order_by: "name", page_size: 50 },
      { maxPages: Infinity },
    ),
  );
  const { data, error, refetch } = query;
  const { rows, total } = rowsOf(data);
  const { open } = useView<ProviderView>();
  const refusal = useRefusal();
  return (
    <Section title="Group mappings" count={total}>
      <div className={classes["tools"]}>
        <p className={classes["quiet"]}>
          At each sign-in, people get the roles of their groups at the provider and lose those of groups they
          left. If a directory pushes people and groups, changes apply at once.
        </p>
        <ActionButton
          reason={refusal(externalGroupRoleMappings.create, provider)}
          onClick={() => open("map")}
        >
          Map groups
        </ActionButton>
      </div>
      {error && !data ? (
        <FailedPart title="Group mappings couldn't be loaded" error={error} onRetry={refetch} />
      ) : data && rows.length === 0 ? (
        <p className={classes["quiet"]}>No group mappings yet</p>
      ) : rows.length > 0 ? (
        <Rows provider={provider} rows={rows} />
      ) : null}
      <ShowMore query={query} />
    </Section>
  );
}

interface RowsProps {
  readonly provider: string;
  readonly rows: readonly ExternalGroupRoleMapping[];
}

function Rows({ provider, rows }: RowsProps): ReactNode {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState(false);
  // One that someone else deleted is no longer among the rows.
  const chosen = rows.filter(({ uid }) => picked.has(uid));
  const pick = (uid: string) =>
    setPicked(
      (before) => new Set(before.has(uid) ? [...before].filter((one) => one !== uid) : [...before, uid]),
    );
  const { open } = useView<ProviderView>();
  const refusal = useRefusal();
  const actions = ({ uid }: ExternalGroupRoleMapping): MenuAction[] => [
    {
      label: "Change role",
      onSelect: () => open("change-mapping", uid),
      disabled: refusal(externalGroupRoleMappings.update, uid),
    },
    {
      label: "Delete mapping",
      onSelect: () => open("delete-mapping", uid),
      disabled: refusal(externalGroupRoleMappings.delete, uid),
      danger: true,
    },
  ];
  const few = chosen.length <= BATCH_DELETE_MAX;
  const reason = few
    ? refusal(externalGroupRoleMappings.delete, provider)
    : `At most ${BATCH_DELETE_MAX} at once`;
  return (
    <>
      {chosen.length > 1 ? (
        <p className={classes["chosen"]}>
          <ActionButton reason={reason} onClick={() => setAsking(true)}>
            {`Delete ${chosen.length} mappings`}
          </ActionButton>
        </p>
      ) : null}
      {asking && chosen.length > 0 ? (
        <DeleteMappings
          provider={provider}
          mappings={chosen}
          onClose={() => setAsking(false)}
          onDeleted={() => {
            setAsking(false);
            setPicked(new Set());
          }}
        />
      ) : null}
      <table className={classes["table"]}>
        <thead>
          <tr>
            <th scope="col" className={classes["more"]}>
              <VisuallyHidden>Selected</VisuallyHidden>
            </th>
            <th scope="col">Provider group</th>
            <th scope="col">Role</th>
            <th scope="col" className={classes["when"]}>
              Created
            </th>
            <th scope="col" className={classes["more"]}>
              <VisuallyHidden>Actions</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((mapping) => (
            <tr key={mapping.uid}>
              <td className={classes["more"]}>
                <RowCheckbox
                  label={`Select ${mapping.externalGroupId}`}
                  checked={picked.has(mapping.uid)}
                  onPick={() => pick(mapping.uid)}
                />
              </td>
              <th scope="row">
                <bdi>{mapping.externalGroupId}</bdi>
              </th>
              <td>
                <RoleName uid={mapping.roleUid ?? ""} />
              </td>
              <td className={classes["when"]}>
                <Time value={mapping.createTime} />
              </td>
              <td className={classes["more"]}>
                <ActionMenu
                  label={`Actions for ${mapping.externalGroupId}`}
                  actions={() => actions(mapping)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
