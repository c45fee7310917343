import { onDemand } from "~/ui/on-demand";

// Few people are without access.
export const AskForm = onDemand(async () => (await import("./ask-form")).AskForm);
export const OfferList = onDemand(async () => (await import("./offer-list")).OfferList);
export const WaitingList = onDemand(async () => (await import("./waiting-list")).WaitingList);
