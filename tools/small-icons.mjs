/** Icons that some empty state or error view shows larger than a line of text. */
const LARGE = /^(?:Alert|Filter|Inbox|Lock|Search)Icon$/;
const ICON = /@primer\/octicons-react\/dist\/icons\/(\w+)\.mjs$/;

/**
 * Leaves of each icon the one drawing that the console shows, at 16 px: the package brings every icon in up to six
 * sizes, a third of which compress to 2 kB on the way to every list.
 * @returns {import("vite").Plugin}
 */
export const smallIcons = () => ({
  name: "small-icons",
  apply: "build",
  transform(code, id) {
    const [, name] = ICON.exec(id) ?? [];
    // Some are drawn in one size alone.
    if (name === undefined || !code.includes('\t"16": {')) return undefined;
    const kept = code
      .replace(
        LARGE.test(name)
          ? /\t"(?:12|48|96)": \{\n[\s\S]*?\n\t\},?\n/g
          : /\t"(?:12|24|48|96)": \{\n[\s\S]*?\n\t\},?\n/g,
        "",
      )
      .replace(
        /var heights = \[[^\]]*\]/,
        LARGE.test(name) ? 'var heights = ["16", "24"]' : 'var heights = ["16"]',
      );
    if (/"(?:12|48|96)"/.test(kept))
      throw new Error(`${name} is not written as this version of the package writes its icons`);
    return { code: kept, map: null };
  },
});
