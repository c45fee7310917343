interface Step {
  readonly id: string;
  readonly needs: readonly string[];
}

/** Steps in the order in which they came, but each after those that it needs; `stuck` are those that wait for each other. */
export function inDependencyOrder<S extends Step>(steps: readonly S[]): { sorted: S[]; stuck: S[] } {
  const sorted: S[] = [];
  const done = new Set<string>();
  let left = steps;
  while (left.length > 0) {
    const waiting: S[] = [];
    for (const step of left) {
      if (!step.needs.every((id) => done.has(id))) waiting.push(step);
      else {
        sorted.push(step);
        done.add(step.id);
      }
    }
    if (waiting.length === left.length) return { sorted, stuck: waiting };
    left = waiting;
  }
  return { sorted, stuck: [] };
}
