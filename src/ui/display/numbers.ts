const counts = new Intl.NumberFormat("en");

/** 1204 as "1,204". Exact for a bigint: int64 counts never pass through a float. */
export const formatCount = (count: number | bigint): string =>
  // Unsafe integers are not exact, and three hundred digits say nothing.
  typeof count === "bigint" || Number.isSafeInteger(count) ? counts.format(count) : String(count);

/** "1 identity", "1,204 identities". */
export function formatQuantity(count: number | bigint, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${Number(count) === 1 ? one : many}`;
}

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];

/** 34200000 as "34.2 MB": decimal units, as registries count. */
export function formatBytes(bytes: number | bigint): string {
  const amount = Number(bytes);
  // The unit of the rounded amount: 999,950 is 1 MB, not 1,000 kB.
  const rounded = Number(Math.abs(amount).toPrecision(3));
  const step = Math.min(Math.floor(Math.log10(Math.max(rounded, 1)) / 3), UNITS.length - 1);
  const value = amount / 1000 ** step;
  const maximumFractionDigits = step === 0 || Math.abs(value) >= 100 ? 0 : 1;
  const unit = UNITS[step] ?? "byte";
  // The short word for bytes has no plural.
  const unitDisplay = step === 0 ? "long" : "short";
  return value.toLocaleString("en", { style: "unit", unit, unitDisplay, maximumFractionDigits });
}
