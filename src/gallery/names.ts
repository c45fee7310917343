/** Names that a careless layout breaks on: long without a gap, right to left, with letters that combine, like markup. */
export const LONG = "a-name-without-any-gap-that-is-longer-than-the-63-characters-of-a-label-and-goes-on";
export const RTL = "فريق المنصة";
export const COMBINED = "Z̵̢a̶l̷g̸o̴ 👩‍👩‍👧‍👦";
export const MARKUP = '<img src=x onerror="alert(1)">';
export const HOSTILE = [LONG, RTL, COMBINED, MARKUP] as const;

export const UID = "f19fd4f51278a4b6c0d2e8f71234567890abcdef/0123456789abcdef";
export const DIGEST = `sha256:${"9f86d081884c7d65".repeat(4)}`;
