import { Columns3Icon } from "lucide-react";
import type { QueryKey } from "@tanstack/react-query";
import { useId, useRef, useState, type ReactNode } from "react";

import type { Item } from "~/api/paging/scan-pages";
import { copyText } from "~/ui/display/copy-text";
import { IconButton } from "~/ui/controls/icon-button";
import type { ColumnChooserProps } from "~/ui/table/column-chooser";
import type { Column } from "~/ui/table/types";
import { ActionMenu, type MenuAction } from "~/ui/overlay/menu";
import { usePageActions } from "~/ui/overlay/page-actions";
import { onDemand } from "~/ui/on-demand";

import classes from "./list-tools.module.css";
import { requestsAction, useScreenList } from "~/features/request-inspector/record-actions";
import type { ExportDialogProps } from "~/features/export/export-dialog";
import type { ExportFormat } from "~/features/export/export-file";
import { linkToView } from "~/features/scope/view-link";

const ColumnChooser = onDemand<ColumnChooserProps>(
  async () => (await import("~/ui/table/column-chooser")).ColumnChooser,
);

// Of one kind of row or another: `never` fits all of them.
const ExportDialog = onDemand(
  async () => (await import("~/features/export/export-dialog")).ExportDialog<never>,
) as unknown as <T extends Item>(props: ExportDialogProps<T>) => ReactNode;

/** What a list's tools know of it; `label`, `columns` and `group` as its table and its filters have them. */
export interface ListToolsProps<T extends Item> extends Omit<ExportDialogProps<T>, "format" | "onClose"> {
  /** Key of the query behind the rows, where that is not `list` with other pages, or a scan of it. */
  shown?: QueryKey | undefined;
  /** The columns of the table, where it has others than a file. */
  tableColumns?: readonly Column<never>[] | undefined;
}

/** What every list offers beside its filters; the `tools` of its `FilterBar`. */
export function ListTools<T extends Item>(props: ListToolsProps<T>): ReactNode {
  const { label, columns, tableColumns = columns, list, shown = list.queryKey, group } = props;
  useScreenList(shown);
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [choosing, setChoosing] = useState(false);
  const [format, setFormat] = useState<ExportFormat>();
  const actions = (): MenuAction[] => [
    { label: "Export CSV", onSelect: () => setFormat("csv") },
    { label: "Export JSON", onSelect: () => setFormat("json") },
    {
      label: "Copy link to this view",
      onSelect: () => void copyText(linkToView(location.href, group), "link"),
    },
    requestsAction,
  ];
  usePageActions(actions);
  return (
    <div className={classes["tools"]}>
      <IconButton
        ref={button}
        label="Choose columns"
        tip={!choosing && "Choose columns"}
        aria-haspopup="dialog"
        aria-expanded={choosing}
        aria-controls={choosing ? id : undefined}
        onPointerEnter={ColumnChooser.preload}
        onFocus={ColumnChooser.preload}
        onClick={() => setChoosing((now) => !now)}
      >
        <Columns3Icon size={16} />
      </IconButton>
      {choosing ? (
        <ColumnChooser
          list={label}
          columns={tableColumns}
          id={id}
          button={button}
          onClose={() => setChoosing(false)}
        />
      ) : null}
      <ActionMenu label="More for this list" actions={actions} />
      {format ? <ExportDialog {...props} format={format} onClose={() => setFormat(undefined)} /> : null}
    </div>
  );
}
