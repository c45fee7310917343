import type { Queries } from "../store/database";
import { listStored } from "../store/scim/directory";
import { ScimError } from "./error";
import type { ScimRequest } from "./messages";
import { etagOf } from "./resources";

/** Throws 412 if the resource is no longer what the client has read. */
export function requireMatch({ ifMatch }: ScimRequest, row: { readonly version: number }): void {
  const tags = ifMatch?.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  if (tags && !tags.includes("*") && !tags.includes(etagOf(row).replace(/^W\//, "")))
    throw new ScimError(412, "the resource was changed, read it again");
}

export const readUser = async (queries: Queries, provider: string, id: string) => {
  const where = { column: "id", value: id } as const;
  const [user] = await listStored(queries, "users", { provider, offset: 0, limit: 1, where });
  return user;
};
export const readGroup = async (queries: Queries, provider: string, id: string) => {
  const where = { column: "id", value: id } as const;
  const [group] = await listStored(queries, "groups", { provider, offset: 0, limit: 1, where });
  return group;
};
