import { useQuery } from "@tanstack/react-query";
import { linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { one } from "~/api/queries/queries";
import { roles } from "~/contract/iam/roles";
import { uidToParam } from "~/features/scope/uid-param";
import { shorten } from "~/ui/display/shorten";
import { AppLink } from "~/ui/layout/link";

/** Links to a role by name, or by shortened uid if the name can't be read. */
export function RoleName({ uid }: { readonly uid: string }): ReactNode {
  const { data } = useQuery({ ...one(roles.get, { uid }), enabled: uid !== "" });
  if (uid === "") return null;
  return (
    <AppLink target={linkOptions({ to: "/roles/$uid", params: { uid: uidToParam(uid) } })}>
      <bdi>{data?.name ?? shorten(uid)}</bdi>
    </AppLink>
  );
}
