/** Whether one of the texts holds what somebody typed, in capitals or not. */
export function contains(typed: string, texts: readonly (string | undefined)[]): boolean {
  const sought = typed.toLowerCase();
  return texts.some((text) => text?.toLowerCase().includes(sought));
}
