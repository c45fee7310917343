export interface Visit {
  readonly name: string;
  readonly entries: string[];
  readonly files?: string[];
  readonly budget: number;
}

export function filesOf(manifest: object, visit: Visit): string[];
