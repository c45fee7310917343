import { encode } from "uqr";

/** A QR code as an SVG path: a run of dark modules is one rectangle. */
export function qrOf(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { border: 2, ecc: "M" });
  const path = data
    .map((row, y) => {
      let runs = "";
      for (let x = 0; x < size; x += 1) {
        if (!row[x]) continue;
        const from = x;
        while (row[x + 1]) x += 1;
        runs += `M${from} ${y}h${x - from + 1}v1h-${x - from + 1}z`;
      }
      return runs;
    })
    .join("");
  return { size, path };
}
