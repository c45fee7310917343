import type { Attributes, Meter } from "@opentelemetry/api";

/** What a gauge shows at a scrape, each with its labels; nothing if it is not known. */
export type Values = readonly (readonly [value: number, labels?: Attributes])[];

/** A gauge that is read at each scrape. */
export function gauge(
  meter: Meter,
  name: string,
  description: string,
  read: () => Values | Promise<Values>,
): void {
  meter.createObservableGauge(name, { description }).addCallback(async (result) => {
    for (const [value, labels] of await read()) result.observe(value, labels);
  });
}
