/** The address on display as of another moment (RFC 3339, in UTC), or now. */
export function addressAt(moment: string | undefined): string {
  const address = new URL(location.href);
  address.searchParams.delete("asOf");
  if (moment !== undefined) address.searchParams.set("asOf", moment);
  return address.href;
}
