const page = ["index.html", "favicon.svg"];

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
  {
    name: "identities list, signed in, up to its rows",
    entries: ["index.html", "src/auth/provider.ts", "src/app.tsx", "src/routes/identities/index.tsx"],
    files: page,
  },
];
