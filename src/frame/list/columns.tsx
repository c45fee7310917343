import type { ReactNode } from "react";

import { Dash } from "~/ui/display/dash";
import type { Column } from "~/ui/table/types";
import { shorten } from "~/ui/display/shorten";
import { Time } from "~/ui/display/time";
import { GroupPath } from "~/frame/scope/group-path";
import { ancestorsWithNames } from "~/frame/scope/ancestors";

import { useAbove, within } from "./ancestor-names";
import type { Item } from "~/frame/define";

type Overrides<T> = Partial<Omit<Column<T>, "id">>;

/** Columns that most lists have. Each list orders them and overrides what differs. */
export const nameColumn = <T extends Item>(overrides?: Overrides<T>): Column<T> => ({
  id: "name",
  header: "Name",
  width: "minmax(9rem, 3fr)",
  sortField: "name",
  cell: ({ uid, name }) => name || shorten(uid),
  ...overrides,
});

export const descriptionColumn = <T extends { readonly description?: string | undefined }>(
  overrides?: Overrides<T>,
): Column<T> => ({
  id: "description",
  header: "Description",
  width: "minmax(9rem, 4fr)",
  hideBelow: 960,
  cell: ({ description }) => (description ? <bdi>{description}</bdi> : <Dash />),
  text: ({ description = "" }) => description,
  ...overrides,
});

/** A timestamp of the record, newest first. `sortField`: the API's name for ordering by it. */
export const timeColumn = <T,>(
  id: string,
  header: string,
  sortField: string,
  timeOf: (row: T) => string | undefined,
  overrides?: Overrides<T>,
): Column<T> => ({
  id,
  header,
  width: "8rem",
  sortField,
  sortFirst: "desc",
  hideBelow: 840,
  cell: (row) => <Time value={timeOf(row)} />,
  text: (row) => timeOf(row) ?? "",
  ...overrides,
});
export const createdColumn = <T extends Item>(overrides?: Overrides<T>): Column<T> =>
  timeColumn("created", "Created", "created_at", ({ createTime }) => createTime, overrides);
export const updatedColumn = <T extends Item>(overrides?: Overrides<T>): Column<T> =>
  timeColumn("updated", "Updated", "updated_at", ({ updateTime }) => updateTime, overrides);

/** id of the column that shows the group of a record. */
export const GROUP = "group";

/** The path of a record's group, with names from the `<AncestorNames>` around the table. */
export const groupColumn = <T extends Item>(overrides?: Overrides<T>): Column<T> => ({
  id: GROUP,
  header: "Folder",
  width: "minmax(8rem, 3fr)",
  cell: ({ uid }) => <Ancestors uid={uid} />,
  ...overrides,
});

interface AncestorsProps {
  readonly uid: string;
  /** Names of groups that may be gone, by uid. */
  readonly once?: Readonly<Record<string, string>> | undefined;
}

/** The path of the group that a record is in. */
export function Ancestors({ uid, once = {} }: AncestorsProps): ReactNode {
  const { names, below } = useAbove();
  const places = ancestorsWithNames(uid, names).map((place) => ({
    ...place,
    name: place.name ?? once[place.uid],
  }));
  return places.length > 0 ? <GroupPath places={places} below={below} oneLine /> : <Dash label="top level" />;
}

/** The name of a record's group, which tells records of the same name apart on a card; nothing where it isn't known. */
export function FolderName({ uid }: { readonly uid: string }): ReactNode {
  const { names } = useAbove();
  const name = ancestorsWithNames(uid, names).at(-1)?.name;
  return name ? (
    <>
      <bdi>{name}</bdi> {"\u00b7 "}
    </>
  ) : null;
}

/** The path of the group of a record that shares its uid. */
export const OwnGroup = ({ record }: { readonly record: Item }): ReactNode => (
  <Ancestors {...within(record)} />
);

/** The same as a column. */
export const ownGroupColumn = <T extends Item>(overrides?: Overrides<T>): Column<T> =>
  groupColumn({ cell: (record) => <OwnGroup record={record} />, ...overrides });

/** True if the columns include the group column, which needs the names of ancestor groups. */
export const hasGroup = (columns: readonly { readonly id: string }[]): boolean =>
  columns.some(({ id }) => id === GROUP);
