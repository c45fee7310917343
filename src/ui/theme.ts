import type { MantineColorsTuple, MantineThemeOverride } from "@mantine/core";

import button from "./controls/button.module.css";

/** Shades are in theme.css, where light and dark differ; Mantine requires ten of each color. */
const shades = (value: string): MantineColorsTuple => [
  value,
  value,
  value,
  value,
  value,
  value,
  value,
  value,
  value,
  value,
];

/**
 * The Mantine theme: names and defaults only. Values are CSS variables of theme.css (no style element, strict policy).
 * A plain object without createTheme or Component.extend(), so that a component is loaded only where it is used.
 */
export const theme: MantineThemeOverride = {
  primaryColor: "accent",
  colors: { accent: shades("var(--pc-accent-fill)"), danger: shades("var(--pc-danger-fill)") },
  fontFamily: "var(--mantine-font-family)",
  fontFamilyMonospace: "var(--mantine-font-family-monospace)",
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  // layout/global.css draws the focus ring, the same for every element.
  focusRing: "never",
  activeClassName: "",
  components: {
    Button: {
      classNames: { root: button["root"] ?? "" },
      vars: () => ({
        root: {
          "--button-height": "var(--pc-control)",
          "--button-padding-x": "0.75rem",
          "--button-fz": "var(--pc-font-table)",
        },
      }),
    },
    Input: {
      vars: () => ({
        wrapper: {
          "--input-height": "var(--pc-control)",
          "--input-padding": "0.625rem",
          "--input-fz": "var(--pc-font-table)",
          // The text of an invalid field stays readable; border, icon and message mark the error.
          "--input-color": "var(--pc-text)",
        },
      }),
    },
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] },
      vars: () => ({
        label: { "--input-label-size": "var(--mantine-font-size-xs)" },
        description: { "--input-description-size": "var(--mantine-font-size-xs)" },
        error: { "--input-error-size": "var(--mantine-font-size-xs)" },
      }),
    },
    Checkbox: { defaultProps: { size: "xs" } },
    // Locking the scroll would write a style element (strict policy); the shell's main area scrolls, not the page.
    ModalRoot: { defaultProps: { lockScroll: false, transitionProps: { duration: 140 } } },
    DrawerRoot: { defaultProps: { lockScroll: false, transitionProps: { duration: 140 } } },
  },
};
