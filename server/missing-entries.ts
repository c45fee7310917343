import { channel } from "node:diagnostics_channel";

/** The channel on which each refusal that could not be logged is told (node:diagnostics_channel). */
export const MISSING_ENTRIES = "platform.missing-entries";

const told = channel(MISSING_ENTRIES);

export const tellMissingEntry = (): void => told.publish(undefined);
