/** How many events wait for a sink that does not accept them, and for how long. Beyond that, new ones are dropped. */
export const PENDING = { events: 10_000, hours: 24 } as const;

/** What is kept of deliveries that have ended, for each subscription, and how many attempts of each delivery. */
export const KEPT = { deliveries: 1_000, days: 7, attempts: 20 } as const;
