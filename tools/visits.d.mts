import type { Visit } from "./sizes.mjs";

export function visitsOf(root: string): Visit[];

export const whenUsed: readonly string[];
