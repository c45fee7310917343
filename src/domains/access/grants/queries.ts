import { infinite } from "~/api/queries/queries";
import { listAuditEntries } from "platform-contract/audit/entries";

/** Entries about an identity that are read: one request, and most have far fewer. */
const READ = 100;

/** The newest entries about an identity: its own changes, and the roles that it was given or lost. */
export const aboutQuery = (identity: string) =>
  infinite(listAuditEntries, { record: identity, page_size: READ });

/** The oldest entry of an organization's log. */
export const firstQuery = (organization: string) =>
  infinite(listAuditEntries, {
    "uidp.descendants_of": organization,
    order_by: "created_at",
    page_size: 1,
  });
