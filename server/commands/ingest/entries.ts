import type * as z from "zod";

/**
 * The entries of a list that fit the schema. One that does not costs itself, never its record: it is skipped with the
 * reason.
 * @param label what the list is called in the reason
 */
export function entriesOf<T>(
  schema: z.ZodType<T>,
  list: readonly unknown[] | null | undefined,
  label: string,
  skipped: string[],
): T[] {
  return (list ?? []).flatMap((entry, index) => {
    const { success, data, error } = schema.safeParse(entry);
    if (success) return [data];
    const [issue] = error.issues;
    skipped.push(
      `${label} ${index + 1}: ${[issue?.path.join("."), issue?.message].filter(Boolean).join(": ")}`,
    );
    return [];
  });
}
