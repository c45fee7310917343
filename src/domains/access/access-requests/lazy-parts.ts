import { onDemand } from "~/ui/on-demand";

/** Few people are without access. */
const load = () => import("./parts");

export const AskForm = onDemand(async () => (await load()).AskForm);
export const OfferList = onDemand(async () => (await load()).OfferList);
export const WaitingList = onDemand(async () => (await load()).WaitingList);
