import type { Plugin } from "vite";

export declare const smallIcons: () => Plugin;
