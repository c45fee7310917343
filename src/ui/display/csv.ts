/** What a spreadsheet takes for the beginning of a formula (OWASP, "CSV Injection"); some take the wide forms as well. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** One value of a line, quoted where RFC 4180 asks for it, and never a formula. */
function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One record of a CSV file (RFC 4180), with its end. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(",")}\r\n`;

/** The byte order mark, so that spreadsheets read the file as UTF-8. */
export const BYTE_ORDER_MARK = "\uFEFF";
