import type { Plugin } from "vite";

export function appChunk(options: { readonly app: RegExp; readonly shared: (id: string) => boolean }): {
  readonly plugin: Plugin;
  readonly has: (id: string) => boolean;
};
