import { serviceTime } from "~/api/client/service-clock";

/** The last moment that has certainly ended, in RFC 3339. */
export const latestMoment = (): string => new Date(serviceTime() - 1_000).toISOString();

/** The address on display as of another moment (RFC 3339, in UTC), or now; compared with a second moment if there is one. */
export function addressAt(moment: string | undefined, comparedWith?: string): string {
  const address = new URL(location.href);
  const set = (name: string, value: string | undefined) =>
    value === undefined ? address.searchParams.delete(name) : address.searchParams.set(name, value);
  set("asOf", moment);
  set("compareWith", moment === undefined ? undefined : comparedWith);
  return address.href;
}
