/** What a list needs once somebody does something with it: in one file, since names of files are bytes of the first visit. */
export { ActiveFilters } from "./active-filters";
export { fileColumns } from "./file-columns";
export { FilterPanel } from "./filter-panel";
export { ViewsPanel } from "./views-panel";
export { widenSearch } from "./widen-search";
export { ColumnChooser } from "~/ui/table/column-chooser";
