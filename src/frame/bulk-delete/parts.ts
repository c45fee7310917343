/** What shows selected rows, and the deletion of them: one chunk. */
export { ActBar } from "./act-bar";
export { DeletionActs } from "./deletion-acts";
export { BulkPanel } from "./panel";
export { startJob } from "~/api/bulk/start-job";
