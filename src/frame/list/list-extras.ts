/** What a list needs once the user interacts with it, or filters in a way that the service cannot: one chunk. */
export { ActiveFilters } from "./active-filters";
export { ClientFilteredRows, newScan } from "./client-filtered-rows";
export { fileColumns } from "./file-columns";
export { FilterPanel } from "./filter-panel";
export { ViewsPanel } from "./views-panel";
export { widenSearch } from "./widen-search";
export { ExportDialog } from "~/frame/export/export-dialog";
export { ColumnChooser } from "~/ui/table/column-chooser";
