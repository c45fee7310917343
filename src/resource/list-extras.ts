/** What a list needs once the user interacts with it: one chunk, since chunk names add bytes to the first visit. */
export { ActiveFilters } from "./active-filters";
export { fileColumns } from "./file-columns";
export { FilterPanel } from "./filter-panel";
export { ViewsPanel } from "./views-panel";
export { widenSearch } from "./widen-search";
export { ColumnChooser } from "~/ui/table/column-chooser";
