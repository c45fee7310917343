import type { Address } from "~/resource/list-search";
import { readImages, imagesParam } from "~/features/vulnerability-reports/images";

/** The ranges that are offered, in days up to today. */
export const RANGES = [7, 30, 90, 365] as const;
export const DEFAULT_RANGE = 90;

/** What the address says of a report: its images, and how many days it goes back. */
export interface ReportSearch {
  readonly images?: string | undefined;
  readonly days?: string | undefined;
}

export const readReport = ({ images, days }: Address): ReportSearch => ({
  images: imagesParam(readImages(images)),
  // Any number of days; the screen says which is too large.
  ...(typeof days === "string" && /^[1-9]\d{0,3}$/.test(days) && Number(days) !== DEFAULT_RANGE && { days }),
});

export const daysOf = ({ days = String(DEFAULT_RANGE) }: ReportSearch): number => Number(days);
