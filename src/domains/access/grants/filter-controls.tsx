import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { infinite, rowsOf } from "~/api/queries/queries";
import { roles } from "platform-contract/iam/roles";
import { useGroup } from "~/frame/scope/group-ancestry";
import { paramToUid, uidToParam } from "~/frame/scope/uid-param";
import { FilterPicker } from "~/ui/controls/filter-picker";
import { shorten } from "~/ui/display/shorten";
import { onDemand } from "~/ui/on-demand";

import type { PanelProps } from "./filter-panels";
import { useIdentities } from "./use-identities";

const FilterPanel = onDemand<PanelProps>(async () => (await import("./filter-panels")).FilterPanel);

interface FilterProps {
  /** uid of the chosen record, with `_` for `/`. */
  readonly value: string | undefined;
  /** uid of the group that limits the list. */
  readonly group: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

export function IdentityFilter({
  label = "Identity",
  ...props
}: FilterProps & { readonly label?: string; readonly none?: string }): ReactNode {
  const uid = uidOf(props.value);
  const { known } = useIdentities(uid === undefined ? [] : [uid]);
  const { email, name } = known.get(uid ?? "") ?? {};
  return <Picker {...props} what="identity" label={label} name={email || name} />;
}

export function RoleFilter(props: FilterProps): ReactNode {
  const uid = uidOf(props.value);
  const { data } = useInfiniteQuery({
    ...infinite(roles.list, { "uidp.ids": [uid ?? ""], page_size: 1 }),
    enabled: uid !== undefined,
  });
  return <Picker {...props} what="role" label="Role" name={uid && rowsOf(data).rows[0]?.name} />;
}

/** Selects the scope of the list, like the tree beside it. */
export function GroupFilter({
  label = "Folder",
  ...props
}: FilterProps & { readonly label?: string; readonly none?: string }): ReactNode {
  const { group } = useGroup(props.group);
  return <Picker {...props} what="group" label={label} name={group?.name} />;
}

interface PickerProps extends FilterProps {
  readonly what: PanelProps["what"];
  readonly label: string;
  /** Undefined while loading, or if the user may not see it. */
  readonly name: string | undefined;
  readonly none?: string;
}

function Picker({ value, group, onChange, what, label, name, none }: PickerProps): ReactNode {
  const uid = uidOf(value);
  return (
    <FilterPicker
      label={label}
      chosen={uid === undefined ? undefined : name || shorten(uid)}
      onClear={() => onChange(undefined)}
      none={none}
    >
      {(close) => (
        <FilterPanel
          what={what}
          current={uid}
          group={group}
          onPick={(picked) => {
            onChange(uidToParam(picked));
            close();
          }}
        />
      )}
    </FilterPicker>
  );
}

const uidOf = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : paramToUid(value);
