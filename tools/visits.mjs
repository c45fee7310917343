const page = ["index.html", "favicon.svg"];
const list = ["index.html", "src/auth/provider.ts", "src/app.tsx", "src/routes/identities/index.tsx"];

/**
 * The visits whose bytes are measured, each with the modules that it enters besides what those import statically.
 * @type {import("./sizes.mjs").Visit[]}
 */
export const visits = [
  {
    name: "first visit to `/`, no session, up to the provider's form",
    entries: ["index.html", "src/auth/provider.ts"],
    files: page,
  },
  { name: "identities list, signed in, up to its rows", entries: list, files: page },
  {
    // Loaded when the pointer or the focus first enters the list.
    name: "identities list, with the menus of its rows",
    entries: [...list, "src/kit/menu-list.tsx"],
    files: page,
  },
];
