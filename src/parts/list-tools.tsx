import { ColumnsIcon } from "@primer/octicons-react";
import { useRef, useState, type ReactNode } from "react";

import { copyText } from "~/kit/copy-text";
import { IconButton } from "~/kit/icon-button";
import type { ColumnChooserProps } from "~/kit/list/column-chooser";
import type { Column } from "~/kit/list/types";
import { ActionMenu } from "~/kit/menu";
import { onDemand } from "~/kit/on-demand";

import classes from "./list-tools.module.css";
import { linkToView } from "./view-link";

const ColumnChooser = onDemand<ColumnChooserProps>(
  async () => (await import("~/kit/list/column-chooser")).ColumnChooser,
);

export interface ListToolsProps<T> {
  /** Of the list's table: "Identities". */
  label: string;
  columns: readonly Column<T>[];
  /** uid of the group that the list is limited to, also where the address does not say so. */
  group: string | undefined;
}

/** What every list offers beside its filters; the last part of its `FilterBar`. */
export function ListTools<T>({ label, columns, group }: ListToolsProps<T>): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  const [choosing, setChoosing] = useState(false);
  return (
    <div className={classes["tools"]}>
      <IconButton
        ref={button}
        label="Choose columns"
        tip={!choosing && "Choose columns"}
        aria-haspopup="dialog"
        aria-expanded={choosing}
        onPointerEnter={ColumnChooser.preload}
        onFocus={ColumnChooser.preload}
        onClick={() => setChoosing((now) => !now)}
      >
        <ColumnsIcon size={16} />
      </IconButton>
      {choosing ? (
        <ColumnChooser list={label} columns={columns} button={button} onClose={() => setChoosing(false)} />
      ) : null}
      <ActionMenu
        label="More for this list"
        actions={() => [
          {
            label: "Copy link to this view",
            onSelect: () => void copyText(linkToView(location.href, group), "link"),
          },
        ]}
      />
    </div>
  );
}
