export interface Visit {
  readonly name: string;
  readonly entries: string[];
  readonly files?: string[];
  readonly budget: number;
}

export function filesOf(manifest: object, visit: Visit): string[];

/** Maximum bytes of the fonts that a visit loads. */
export const FONT_BUDGET: number;

/** `bytes`: all files but fonts. */
export function sizeOf(
  files: string[],
  bytesOf: (file: string) => number,
): { readonly bytes: number; readonly fonts: number };
