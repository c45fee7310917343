/** What a broken guard rail did to a change. In a file of its own: the log needs no more of guard rails. */
export const GUARD_RAIL_EFFECTS = [
  "GUARD_RAIL_EFFECT_REFUSED",
  "GUARD_RAIL_EFFECT_LEFT_OUT",
  "GUARD_RAIL_EFFECT_WARNED",
] as const;
