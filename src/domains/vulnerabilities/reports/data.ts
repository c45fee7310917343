import type { Address } from "~/frame/scope/address";
import { readImages, imagesParam } from "~/domains/vulnerabilities/vulnerability-reports/images";

/** Ranges to choose from, in days up to today. */
export const RANGES = [7, 30, 90, 365] as const;
export const DEFAULT_RANGE = 90;

/** Search parameters of a report: its images, and how many days it covers. */
export interface ReportSearch {
  readonly images?: string | undefined;
  readonly days?: string | undefined;
}

export const readReport = ({ images, days }: Address): ReportSearch => ({
  images: imagesParam(readImages(images)),
  // Accepts any number of days; the screen reports one that is too large.
  ...(typeof days === "string" && /^[1-9]\d{0,3}$/.test(days) && Number(days) !== DEFAULT_RANGE && { days }),
});

export const daysOf = ({ days = String(DEFAULT_RANGE) }: ReportSearch): number => Number(days);
