import { onDemand } from "~/ui/on-demand";

// On screens that most people open without any.
export const EligibleSection = onDemand(async () => (await import("./section")).EligibleSection);
export const WaitingActivations = onDemand(async () => (await import("./waiting")).WaitingActivations);
