import { onDemand } from "~/ui/on-demand";

export const BesideGroup = onDemand(async () => (await import("./beside-group")).BesideGroup);
export const FoundGroups = onDemand(async () => (await import("./found-groups")).FoundGroups);
