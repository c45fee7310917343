import { BookmarkIcon, Columns3Icon } from "lucide-react";
import type { QueryKey } from "@tanstack/react-query";
import { useId, useRef, useState, type ComponentType, type ReactNode, type RefObject } from "react";

import type { PagedItem } from "~/api/paging/scan-pages";
import { copyText } from "~/ui/display/copy-text";
import { IconButton } from "~/ui/controls/icon-button";
import type { ColumnChooserProps } from "~/ui/table/column-chooser";
import { columnsToShare } from "~/ui/table/column-choice";
import { rootPx } from "~/ui/table/use-columns";
import type { Column } from "~/ui/table/types";
import { ActionMenu, type MenuAction } from "~/ui/overlay/menu";
import { usePageActions } from "~/ui/overlay/page-actions";
import { useNarrow } from "~/ui/layout/use-media";
import { onDemand, type OnDemand } from "~/ui/on-demand";

import classes from "./list-tools.module.css";
import { requestsAction, useScreenList } from "~/frame/request-inspector/record-actions";
import type { ExportDialogProps } from "~/frame/export/export-dialog";
import type { ExportFormat, FileFormat } from "~/frame/export/export-file";
import { linkToView } from "~/frame/scope/view-link";

import type { ViewsPanelProps } from "./views-panel";
import { loadListExtras } from "./load-list-extras";

const ColumnChooser = onDemand<ColumnChooserProps>(async () => (await loadListExtras()).ColumnChooser);

const ViewsPanel = onDemand<ViewsPanelProps>(async () => (await loadListExtras()).ViewsPanel);

// Generic in the row type; `never` fits all of them.
const ExportDialog = onDemand(async () => (await loadListExtras()).ExportDialog<never>) as unknown as <
  T extends PagedItem,
>(
  props: ExportDialogProps<T>,
) => ReactNode;

/** `label`, `columns` and `group` are the same as those of the list's table and filters. */
export interface ListToolsProps<T extends PagedItem> extends Omit<
  ExportDialogProps<T>,
  "format" | "onClose"
> {
  /** Key of the query behind the rows; default: the key of `list`. */
  shown?: QueryKey | undefined;
  /** The columns of the link that opened the list; `onChoose` drops them from the address. */
  shared?: string | undefined;
  onChoose?: (() => void) | undefined;
  /** The columns of the table, if they differ from those of a file. */
  tableColumns?: readonly Column<never>[] | undefined;
}

/** The tools of every list: saved views, columns, export, links and requests. */
export function ListTools<T extends PagedItem>(props: ListToolsProps<T>): ReactNode {
  const { label, columns, tableColumns = columns, list, shown = list.queryKey, group, formats } = props;
  const { shared, onChoose } = props;
  useScreenList(shown);
  const narrow = useNarrow();
  const [format, setFormat] = useState<ExportFormat | FileFormat<T>>();
  const actions = (): MenuAction[] => [
    { label: "Export CSV", onSelect: () => setFormat("csv") },
    { label: "Export JSON", onSelect: () => setFormat("json") },
    ...(formats ?? []).map((one) => ({ label: `Export ${one.label}`, onSelect: () => setFormat(one) })),
    {
      label: "Copy link to this view",
      onSelect: () => {
        const chosen = columnsToShare(label, tableColumns as readonly Column<never>[], shared, rootPx());
        void copyText(linkToView(location.href, group, chosen), "link");
      },
    },
    requestsAction,
  ];
  usePageActions(actions);
  return (
    <div className={classes["tools"]}>
      <PanelButton label="Views" icon={BookmarkIcon} panel={ViewsPanel} of={{ list: label }} />
      {narrow ? null : (
        <PanelButton
          label="Choose columns"
          icon={Columns3Icon}
          panel={ColumnChooser}
          of={{ list: label, columns: tableColumns, shared, onChoose }}
        />
      )}
      <ActionMenu label="More for this list" actions={actions} />
      {format ? <ExportDialog {...props} format={format} onClose={() => setFormat(undefined)} /> : null}
    </div>
  );
}

interface PanelPlace {
  readonly id: string;
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

interface PanelButtonProps<P> {
  readonly label: string;
  readonly icon: ComponentType<{ size: number }>;
  /** Loaded when the pointer or the focus reaches the button. */
  readonly panel: OnDemand<P & PanelPlace>;
  readonly of: P;
}

function PanelButton<P>({ label, icon: Icon, panel: Panel, of }: PanelButtonProps<P>): ReactNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton
        ref={button}
        label={label}
        tip={!open && label}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onPointerEnter={Panel.preload}
        onFocus={Panel.preload}
        onClick={() => setOpen((now) => !now)}
      >
        <Icon size={16} />
      </IconButton>
      {open ? <Panel {...of} id={id} button={button} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
