/** Colors as three channels, 0 to 255. */
type Color = readonly [number, number, number];

/** The tokens of one accent color, each as CSS for both schemes; in the order of src/ui/theme.css. */
export interface Accent {
  /** Text and lines. */
  readonly ink: string;
  /** Under white text. */
  readonly fill: string;
  readonly fillHover: string;
  readonly soft: string;
  /** On `soft`. */
  readonly border: string;
  /** The dark half of the sign-in page. */
  readonly panel: string;
}

const WHITE: Color = [255, 255, 255];
const BLACK: Color = [0, 0, 0];
/** The grounds that stand below text: the darkest in the light scheme, the lightest in the dark one (theme.css). */
const LIGHT_GROUND: Color = [234, 234, 242];
const DARK_GROUND: Color = [38, 38, 49];
/** Of text (WCAG 2.2, 1.4.3), and a little more for rounding. */
const CONTRAST = 4.6;

const parse = (text: string): Color => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16));
  return [red, green, blue];
};

const hex = (color: Color): string =>
  `#${color.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;

/** `share` of `to` in `from`. */
const mix = (from: Color, to: Color, share: number): Color => {
  const at = (index: 0 | 1 | 2) => from[index] + (to[index] - from[index]) * share;
  return [at(0), at(1), at(2)];
};

/** Relative luminance (WCAG 2.2). */
const luminance = (color: Color): number => {
  const [red = 0, green = 0, blue = 0] = color.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Contrast ratio of two colors as `#rrggbb`. */
export const contrast = (one: string, other: string): number => ratio(parse(one), parse(other));

const ratio = (one: Color, other: Color): number => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

/** The color, moved towards black or white no further than the contrast with every ground needs. */
function readable(color: Color, towards: Color, grounds: readonly Color[]): Color {
  for (let share = 0; share < 1; share += 0.02) {
    const moved = mix(color, towards, share);
    if (grounds.every((ground) => ratio(moved, ground) >= CONTRAST)) return moved;
  }
  return towards;
}

/**
 * The shades of an operator's color in both schemes. Text in them, and white text on them, has the contrast that the console's
 * own have, whatever the color is.
 * @param color `#rrggbb`
 */
export function accentOf(color: string): Accent {
  const own = parse(color);
  const both = (light: Color, dark: Color): string => `light-dark(${hex(light)}, ${hex(dark)})`;
  const [softLight, softDark] = [mix(own, WHITE, 0.92), mix(own, [17, 17, 23], 0.8)];
  const fill = readable(own, BLACK, [WHITE]);
  return {
    ink: both(
      readable(own, BLACK, [WHITE, LIGHT_GROUND, softLight]),
      readable(own, WHITE, [DARK_GROUND, softDark]),
    ),
    fill: both(fill, fill),
    fillHover: both(mix(fill, BLACK, 0.15), mix(fill, BLACK, 0.15)),
    soft: both(softLight, softDark),
    border: both(mix(own, WHITE, 0.65), mix(own, [17, 17, 23], 0.5)),
    panel: both(mix(fill, BLACK, 0.68), mix(fill, BLACK, 0.84)),
  };
}

/** The stylesheet that puts the accent in place of the console's own. */
export const accentStyles = (accent: Accent): string => `:root:root {
  --pc-accent: ${accent.ink};
  --pc-accent-fill: ${accent.fill};
  --pc-accent-fill-hover: ${accent.fillHover};
  --pc-accent-soft: ${accent.soft};
  --pc-accent-border: ${accent.border};
}
`;

/** The same for the pages of the provider. */
export const accentOfPages = (accent: Accent): string => `:root:root {
  --accent: ${accent.ink};
  --accent-fill: ${accent.fill};
  --accent-hover: ${accent.fillHover};
  --accent-soft: ${accent.soft};
  --accent-border: ${accent.border};
  --panel: ${accent.panel};
  --glow: color-mix(in srgb, var(--accent-fill) 48%, transparent);
}
.art .icon { stroke: #ffffff; }
.art .chip.accent { fill: var(--accent-fill); stroke: var(--accent-border); }
`;
