/** Lists that do not begin in the order of names. */
const OTHERS: Readonly<Record<string, string>> = {
  advisories: "updated_at desc",
  auditLog: "created_at desc",
  guardRails: "created_at",
  groupInvites: "created_at desc",
  tags: "updated_at desc",
};

/** The order of a list until somebody chooses another, as in `order_by`. Apart from its screen, whose code loads later. */
export const defaultOrderOf = (collection: string): string => OTHERS[collection] ?? "name";
