import { onDemand } from "~/ui/on-demand";

/** Few people are without access. */
export const AskForm = onDemand(async () => (await import("./ask-form")).AskForm);
