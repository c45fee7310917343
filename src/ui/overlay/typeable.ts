/** A name without what no keyboard types: controls, marks of direction. */
export const typeable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, "").trim();
