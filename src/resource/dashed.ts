/** `roleBindings` in words (" ") or in an address ("-"). */
export const dashed = (collection: string, dash: string): string =>
  collection.replaceAll(/[A-Z]/g, (letter) => `${dash}${letter.toLowerCase()}`);
