/** Removes characters that users cannot type: controls, direction marks. */
export const typeable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, "").trim();
