import type { Plugin } from "vite";

export declare const smallMantine: () => Plugin;
