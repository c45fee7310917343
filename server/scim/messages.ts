import type { Fields } from "./values";

/** Resources of a page, at most and by default. */
export const COUNT = { most: 200, usual: 100 };

const LIST_RESPONSE = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

/** A page of resources (RFC 7644, section 3.4.2). */
export const listResponse = (resources: readonly Fields[], total: number, startIndex: number): Fields => ({
  schemas: [LIST_RESPONSE],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});
