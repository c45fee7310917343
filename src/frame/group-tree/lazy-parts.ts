import { onDemand } from "~/ui/on-demand";

const load = () => import("./parts");

export const BesideGroup = onDemand(async () => (await load()).BesideGroup);
export const FoundGroups = onDemand(async () => (await load()).FoundGroups);
