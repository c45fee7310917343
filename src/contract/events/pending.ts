/** How many events wait for a sink that does not accept them, and for how long. Beyond that, new ones are dropped. */
export const PENDING = { events: 10_000, hours: 24 } as const;
