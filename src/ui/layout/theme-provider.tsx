import {
  localStorageColorSchemeManager,
  MantineContext,
  MantineThemeProvider,
  useProviderColorScheme,
} from "@mantine/core";
import { useMemo, type ReactNode } from "react";

import { theme } from "../theme";
import { COLOR_SCHEME_KEY } from "./early-color-scheme";

const manager = localStorageColorSchemeManager({ key: COLOR_SCHEME_KEY });
const getRootElement = () => document.documentElement;

/**
 * Mantine's own provider without the code that writes style elements, which the policy forbids: theme.css has the
 * variables. Every first visit would load that code for nothing.
 */
export function ThemeProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const { colorScheme, setColorScheme, clearColorScheme } = useProviderColorScheme({
    manager,
    defaultColorScheme: "auto",
    getRootElement,
    forceColorScheme: undefined,
  });
  const value = useMemo(
    () => ({
      colorScheme,
      setColorScheme,
      clearColorScheme,
      getRootElement,
      classNamesPrefix: "mantine",
      cssVariablesSelector: ":root",
      withStaticClasses: true,
    }),
    [colorScheme, setColorScheme, clearColorScheme],
  );
  return (
    <MantineContext value={value}>
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </MantineContext>
  );
}
