import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useRefusal } from "~/access/use-can";
import { infinite, rowsOf } from "~/api/queries/queries";
import {
  externalGroupRoleMappings,
  type ExternalGroupRoleMapping,
} from "~/contract/iam/external-group-role-mappings";
import { useView } from "~/resource/use-view";
import { ShowMore } from "~/screens/role-bindings/show-more";
import { ActionButton } from "~/ui/controls/action-button";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { FailedPart } from "~/ui/feedback/failed-part";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";
import { ActionMenu, type MenuAction } from "~/ui/overlay/menu";

import type { ProviderView } from "./data";
import { RoleName } from "./role-name";
import classes from "./styles.module.css";

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
          left.
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
        <Rows rows={rows} />
      ) : null}
      <ShowMore query={query} />
    </Section>
  );
}

function Rows({ rows }: { readonly rows: readonly ExternalGroupRoleMapping[] }): ReactNode {
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
  return (
    <table className={classes["table"]}>
      <thead>
        <tr>
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
              <ActionMenu label={`Actions for ${mapping.externalGroupId}`} actions={() => actions(mapping)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
