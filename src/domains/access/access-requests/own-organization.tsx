import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { call } from "~/api/client/client";
import { checkEligibility, lookupGroup } from "platform-contract/iam/access-requests";

import { AskForm } from "./lazy-parts";
import classes from "./styles.module.css";

/**
 * The organization of the person's email domain, to ask for access to; nothing if there is none. It is looked up only
 * for those whose identity provider has verified their email.
 */
export function OwnOrganization({ otherwise }: { readonly otherwise: ReactNode }): ReactNode {
  const eligible = useQuery({
    queryKey: ["groups", "checkEligibility"],
    queryFn: ({ signal }) => call(checkEligibility, { signal }),
    retry: false,
  });
  const own = useQuery({
    queryKey: ["groups", "lookupGroup"],
    queryFn: ({ signal }) => call(lookupGroup, { signal }),
    enabled: eligible.data?.eligible === true,
    retry: false,
  });
  const { group } = own.data ?? {};
  if (!group) return eligible.isLoading || own.isLoading ? null : otherwise;
  return (
    <>
      <p className={classes["organization"]}>
        Your email is of <bdi>{group.name}</bdi>, which is an organization here.
      </p>
      <AskForm group={group.uid} />
    </>
  );
}
