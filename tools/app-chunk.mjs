/** How many parts that come on demand have to share a module for it to come with the app. */
const MANY = 5;

/**
 * Vite plugin and the module test of a chunk: what the app imports statically, and what many of its parts share, in one file.
 * One file compresses by 2 kB better than two. What the page loads before there is a session stays out.
 * @param {{ app: RegExp, shared: (id: string) => boolean }} options `app`: the module that starts it; `shared`: what may
 *   come along unasked.
 */
export function appChunk({ app, shared }) {
  const members = new Set();
  return {
    /** @type {import("vite").Plugin} */
    plugin: {
      name: "app-chunk",
      apply: "build",
      buildEnd() {
        const infos = [...this.getModuleIds()].map((id) => this.getModuleInfo(id));
        const closure = (roots) => {
          const found = new Set(roots);
          // Of packages only what is named: their indexes import all that they have.
          for (const id of found)
            if (!id.includes("/node_modules/"))
              for (const imported of this.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
          return found;
        };
        const page = closure(infos.filter(({ isEntry }) => isEntry).map(({ id }) => id));
        const own = closure(infos.filter(({ id }) => app.test(id)).map(({ id }) => id));
        const parts = infos.filter(({ dynamicImporters }) => dynamicImporters.length > 0);
        const users = new Map();
        for (const { id: part } of parts)
          for (const id of closure([part])) users.set(id, (users.get(id) ?? 0) + 1);
        members.clear();
        for (const { id, code } of infos) {
          if (id.includes("/node_modules/") || page.has(id)) continue;
          if (!own.has(id) && !(shared(id) && (users.get(id) ?? 0) >= MANY)) continue;
          members.add(id);
          for (const [icon] of code?.matchAll(/\b\w+Icon\b/g) ?? []) members.add(icon);
        }
      },
    },
    /** @param {string} id */
    has: (id) => members.has(/\/icons\/(\w+)\.mjs$/.exec(id)?.[1] ?? id),
  };
}
