import { onDemand } from "~/ui/on-demand";

/** A tab of groups and of repos, which the other tabs don't need. */
export const WhoHasAccess = onDemand(async () => (await import("./who-has-access")).WhoHasAccess);
