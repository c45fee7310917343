/** Why some of the selected records are left out: each reason once, with their number. */
export type Excluded = readonly { readonly reason: string; readonly count: number }[];

/** Separates the records that something can be done with from those with a reason against it. */
export function splitBy<T>(
  records: readonly T[],
  refusal: (record: T) => string | undefined,
): { readonly able: readonly T[]; readonly excluded: Excluded } {
  const reasons = new Map<string, number>();
  const able = records.filter((record) => {
    const reason = refusal(record);
    if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    return reason === undefined;
  });
  return { able, excluded: [...reasons].map(([reason, count]) => ({ reason, count })) };
}
