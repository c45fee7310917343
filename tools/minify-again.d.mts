import type { Plugin } from "vite";

export function minifyAgain(): Plugin;
