import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { one } from "~/api/queries/queries";
import { roles } from "platform-contract/iam/roles";
import { RoleLink } from "~/domains/access/roles/role-link";
import { shorten } from "~/ui/display/shorten";

/** Links to a role by name, or by shortened uid if the name can't be read. */
export function RoleName({ uid }: { readonly uid: string }): ReactNode {
  const { data, isPending } = useQuery({ ...one(roles.get, { uid }), enabled: uid !== "" });
  return uid === "" ? null : <RoleLink uid={uid} name={data?.name ?? (isPending ? "…" : shorten(uid))} />;
}
