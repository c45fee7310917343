import { html } from "hono/html";

/** Rows of the drawing: indentation, name, icon, chip beside it; widths fit the words in Geist with equal padding. */
const ROWS = [
  {
    depth: 0,
    name: "Your organization",
    width: 161,
    icon: "M3 13V4l5-2v11M8 6h5v7M5 6h.5M5 8.5h.5M10.5 8.5h.5M10.5 11h.5M2 13h12",
  },
  {
    depth: 1,
    name: "platform",
    width: 106,
    icon: "M2 4.5V12a1 1 0 0 0 1 1h10a1 1 0 0 0 1-1V6a1 1 0 0 0-1-1H8L6.5 3H3a1 1 0 0 0-1 1z",
    chip: "owner",
    wide: 54,
    tone: "accent",
  },
  {
    depth: 2,
    name: "base-images",
    width: 132,
    icon: "M2 4.5V12a1 1 0 0 0 1 1h10a1 1 0 0 0 1-1V6a1 1 0 0 0-1-1H8L6.5 3H3a1 1 0 0 0-1 1z",
    chip: "editor",
    wide: 53,
    tone: "plain",
  },
  {
    depth: 3,
    name: "python",
    width: 95,
    icon: "M8 1.8 13.5 4.9v6.2L8 14.2 2.5 11.1V4.9zM2.700 5 8 8l5.300-3M8 8v6",
  },
  {
    depth: 4,
    name: "3.14.2",
    width: 97,
    icon: "M2 2h6l6 6-6 6-6-6zM5 5h.01",
    chip: "Active",
    wide: 69,
    tone: "good",
    code: true,
  },
  {
    depth: 4,
    name: "3.13-dev",
    width: 112,
    icon: "M2 2h6l6 6-6 6-6-6zM5 5h.01",
    chip: "High 8.7",
    wide: 81,
    tone: "high",
    code: true,
  },
] as const;

const STEP = 46;
const INDENT = 30;

/** The panel's drawing: what the console is about, in its own forms. Decoration, without meaning of its own. */
export const art = () =>
  html`<svg class="art" viewBox="0 0 420 276" aria-hidden="true" focusable="false">
    ${ROWS.map((row, index) => {
      const [x, y] = [row.depth * INDENT, index * STEP];
      const parent = ROWS.findLastIndex((each, at) => at < index && each.depth < row.depth);
      const width = row.width;
      return html`${
          parent >= 0
            ? html`<path
                class="edge"
                d="M${(ROWS[parent]?.depth ?? 0) * INDENT + 17} ${parent * STEP + 34}V${y + 11}a6 6 0 0 0 6 6H${x}"
              />`
            : ""
        }<rect class="node" x="${x + 0.5}" y="${y + 0.5}" width="${width}" height="33" rx="8" />
        <path class="icon" transform="translate(${x + 12} ${y + 9})" d="${row.icon}" />
        <text class="${"code" in row ? "name code" : "name"}" x="${x + 38}" y="${y + 21.5}">${row.name}</text
        >${
          "chip" in row
            ? html`<rect
                  class="chip ${row.tone}"
                  x="${x + width + 10.5}"
                  y="${y + 6.5}"
                  width="${row.wide}"
                  height="21"
                  rx="5"
                />
                ${
                  row.tone === "good"
                    ? html`<circle class="dot" cx="${x + width + 23}" cy="${y + 17}" r="3.5" />`
                    : row.tone === "high"
                      ? html`<path
                            class="meter"
                            d="M${x + width + 19} ${y + 20.5}v-2M${x + width + 22.5} ${y + 20.5}v-4.5M${x + width + 26} ${y + 20.5}v-7"
                          /><path class="meter off" d="M${x + width + 29.5} ${y + 20.5}v-9" />`
                      : ""
                }<text
                  class="label ${row.tone}"
                  x="${x + width + (row.tone === "good" ? 33 : row.tone === "high" ? 36 : 19)}"
                  y="${y + 21}"
                  >${row.chip}</text
                >`
            : ""
        }`;
    })}
  </svg>`;
