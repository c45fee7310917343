export const PAPERS: readonly string[];
export function readmeFrom(text: string): string;
export function copyRuntime(source: string, target: string): void;
