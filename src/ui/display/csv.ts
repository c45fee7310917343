/** Characters that start a formula in a spreadsheet (OWASP, "CSV Injection"); in some, also the fullwidth forms. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** One value of a line, quoted where RFC 4180 requires it, and never a formula. */
function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One record of a CSV file (RFC 4180), with its line break. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(",")}\r\n`;

/** The byte order mark, so that spreadsheets read the file as UTF-8. */
export const BYTE_ORDER_MARK = "\uFEFF";
