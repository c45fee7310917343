import { useQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useEffect, useEffectEvent, type ReactNode } from "react";
import { useFormContext } from "react-hook-form";

import { useCan } from "~/frame/permissions/use-can";
import { Notice } from "~/ui/feedback/notice";
import { isWithin } from "platform-contract/aip";
import { listAccessRequests } from "platform-contract/iam/access-requests";

import { useRoleChoice } from "~/domains/access/grants/roles";
import { newEndProblem } from "~/domains/access/grants/end-field";
import { wireTime } from "~/ui/form/date-time";

import { lastDayIn, roleIn } from "./last-day";
import { RolesNow } from "./roles-now";
import { waitingQuery } from "./waiting";

interface AskedForProps {
  readonly identity: string;
  /** uid of the group where a role would be granted; "" until one is chosen. */
  readonly group: string;
}

/** Fills in the last day that a request names, once, unless the user has chosen an end. */
function useLastDay(message: string | undefined): void {
  const { getValues, setValue } = useFormContext<{ expirationTime: string }>();
  const day = lastDayIn(message);
  const fill = useEffectEvent((end: string) => {
    if (getValues("expirationTime") === "" && newEndProblem(end, undefined) === undefined)
      setValue("expirationTime", end, { shouldDirty: true });
  });
  useEffect(() => {
    if (day !== undefined) fill(wireTime(`${day}T23:59`));
  }, [day]);
}

/** Chooses the role that a request names, once, unless the user has chosen one, or can't grant it. */
function useNamedRole(message: string | undefined, group: string): void {
  const { getValues, setValue } = useFormContext<{ roleUid: string }>();
  const { roles, options } = useRoleChoice(group);
  const name = roleIn(message);
  const [found, other] = roles.filter((role) => role.name === name);
  const uid = options.some(({ value, disabled }) => value === found?.uid && !disabled)
    ? found?.uid
    : undefined;
  const fill = useEffectEvent((role: string) => {
    if (getValues("roleUid") === "") setValue("roleUid", role, { shouldDirty: true });
  });
  useEffect(() => {
    if (uid !== undefined && other === undefined) fill(uid);
  }, [uid, other]);
}

/** What somebody wrote who waits for access to a group or below it: for whoever grants it. */
export function AskedFor({ identity, group }: AskedForProps): ReactNode {
  const config = useRouteContext({ strict: false, select: (context) => context.config });
  const { allowed } = useCan(listAccessRequests, group || undefined);
  const { data } = useQuery({
    ...waitingQuery(group),
    enabled: group !== "" && allowed && config?.accessRequests === true,
  });
  const request = data?.items.find(
    ({ identityUid, groupUid = "" }) => identityUid === identity && isWithin(groupUid, group),
  );
  useLastDay(request?.message);
  useNamedRole(request?.message, group);
  return request ? (
    <Notice title={`${request.name ?? "They"} asked${request.message ? ":" : " for access"}`}>
      {request.message ? <bdi>{request.message}</bdi> : null}
      <RolesNow identity={identity} group={group} />
    </Notice>
  ) : null;
}
