const WRITES_STYLES =
  /@mantine\/core\/esm\/core\/MantineProvider\/Mantine(?:CssVariables|Classes)\/(Mantine\w+)\.mjs$/;

/**
 * Leaves out what Mantine writes style elements with: the console's policy allows none, its provider has both switched off
 * (`app.tsx`), and 2 kB of them came along on the way to every screen all the same.
 * @returns {import("vite").Plugin}
 */
export const smallMantine = () => ({
  name: "small-mantine",
  apply: "build",
  load(id) {
    const [, name] = WRITES_STYLES.exec(id) ?? [];
    return name === undefined ? undefined : `export const ${name} = () => null;`;
  },
});
