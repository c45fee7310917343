import { Button, TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useRef, useState, type ReactNode } from "react";

import { serviceTime } from "~/api/client/service-clock";
import { useUpdate } from "~/api/mutations/writes";
import { rowsOf } from "~/api/queries/queries";
import { bindingsQuery, KEYS_EXPIRE } from "~/domains/identities/identities/data";
import { withKey } from "~/domains/identities/identities/keys";
import { useGrant } from "~/domains/access/grants/grant";
import { useRoleChoice } from "~/domains/access/grants/roles";
import { useRefusal } from "~/frame/permissions/use-can";
import { parentOf } from "platform-contract/aip";
import { identities, type Identity } from "platform-contract/iam/identities";
import { roleBindings } from "platform-contract/iam/role-bindings";
import "~/ui/controls/button-styles";
import { Expiry } from "~/ui/display/expiry";
import { Time } from "~/ui/display/time";
import { FailedPart } from "~/ui/feedback/failed-part";
import { useWritesPaused } from "~/ui/feedback/writes-paused";
import { fieldParts } from "~/ui/form/field-parts";
import { Dialog } from "~/ui/overlay/dialog";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import { Made } from "./made";
import classes from "./pull-token.module.css";
import { PULL_ROLE, scopeOfSubject } from "./pull-tokens";
import { signPullToken, type SignedToken } from "./sign";
import { dayIn, endProblem, latestDay } from "./texts";

const MASK = ["staticKeys.issuerKeys", "staticKeys.expirationTime"] as const;

export interface ReplaceTokenProps {
  readonly identity: Identity;
  /** Of `pullTokenKeys`. */
  readonly staticKeys: NonNullable<Identity["staticKeys"]>;
  readonly audience: string;
  readonly onClose: () => void;
}

/**
 * Signs another token of the same identity with a key of its own, for the same repos. The token before it works until its
 * own end, or until its key is retired.
 */
export function ReplaceToken({ identity, staticKeys, audience, onClose }: ReplaceTokenProps): ReactNode {
  const { registryHost = "" } = useRouteContext({ from: "__root__" }).config;
  const now = serviceTime();
  const latest = latestDay(Date.parse(identity.createTime ?? ""));
  const tomorrow = dayIn(1, now);
  const folder = parentOf(identity.uid);
  const [end, setEnd] = useState(latest);
  const query = useInfiniteQuery(bindingsQuery(identity.uid));
  const { roles } = useRoleChoice(folder);
  const role = roles.find((one) => one.name === PULL_ROLE && parentOf(one.uid) === "");
  const held = rowsOf(query.data).rows.filter(
    (binding) => binding.role?.name === PULL_ROLE && parentOf(binding.uid) === folder,
  );
  const update = useUpdate(identities);
  const prolong = useUpdate(roleBindings);
  const grant = useGrant();
  const refusal = useRefusal();
  const paused = useWritesPaused();
  const [state, setState] = useState<"asking" | "making">("asking");
  const [error, setError] = useState<unknown>();
  const [tried, setTried] = useState(false);
  // Only in the memory of this component: never in a request, a storage, a cache or the address.
  const signed = useRef<SignedToken & { readonly of: string }>(undefined);
  const [token, setToken] = useState<string>();
  // The end of the token that is replaced: the record has the new one afterwards.
  const [before] = useState(staticKeys.expirationTime);
  const repository = scopeOfSubject(staticKeys.subject) ?? "";
  const problem = endProblem(end, now, latest);
  const reason =
    paused?.reason ??
    refusal(identities.update, identity.uid) ??
    (held.length === 0 ? refusal(roleBindings.create, folder) : refusal(roleBindings.update, held[0]?.uid)) ??
    (latest < tomorrow
      ? "Keys end at most a year after their identity was created. Create another pull token instead"
      : undefined) ??
    (query.data ? undefined : "Loading…");

  const make = async () => {
    setTried(true);
    if (state !== "asking" || problem) return;
    setState("making");
    setError(undefined);
    const expires = new Date(`${end}T00:00:00Z`);
    const expirationTime = expires.toISOString();
    try {
      // A second press after a failure registers the same key: the first may have arrived.
      if (signed.current?.of !== end)
        signed.current = {
          of: end,
          ...(await signPullToken({ ...staticKeys, audience, now, expires })),
        };
      const issuerKeys = withKey(staticKeys.issuerKeys, signed.current.key);
      // Never earlier: the token before it stays as long as it said.
      const later = expirationTime > (staticKeys.expirationTime ?? "") ? expirationTime : undefined;
      await update.mutateAsync({
        uid: identity.uid,
        opened: identity,
        mask: later === undefined ? MASK.slice(0, 1) : MASK,
        // The other members of the rule are not in the mask, and stay.
        body: { staticKeys: { issuerKeys, ...(later !== undefined && { expirationTime: later }) } } as object,
      });
      for (const binding of held)
        if (binding.expirationTime !== undefined && binding.expirationTime < expirationTime)
          // oxlint-disable-next-line no-await-in-loop -- there is one, or few
          await prolong.mutateAsync({
            uid: binding.uid,
            opened: binding,
            mask: ["expirationTime"],
            body: { expirationTime },
          });
      if (held.length === 0 && role)
        await grant({ identities: [identity.uid], roleUid: role.uid, parent: folder, expirationTime });
      setToken(signed.current.token);
    } catch (failure) {
      setError(failure ?? new Error());
      setState("asking");
    }
  };

  if (token !== undefined)
    return (
      <Made
        token={token}
        name={identity.name}
        host={registryHost}
        repository={repository === "*" ? "<organization>/<repo>" : repository}
        onClose={onClose}
      >
        <p>
          The token before it works until <Time value={before} />. To end it earlier, retire its key.
        </p>
      </Made>
    );
  return (
    <Dialog
      title={
        <>
          Replace the token of <bdi>{identity.name}</bdi>
        </>
      }
      size="34rem"
      closeOnClickOutside={false}
      onClose={() => state === "asking" && onClose()}
      footer={
        <>
          <Button variant="default" onClick={onClose} disabled={state === "making"}>
            Cancel
          </Button>
          <DisabledReason reason={reason}>
            <Button
              aria-disabled={state === "making" || undefined}
              onClick={() => void make()}
              data-autofocus
            >
              {state === "making" ? "Creating…" : "Create token"}
            </Button>
          </DisabledReason>
        </>
      }
    >
      <div className={classes["fields"]}>
        <TextInput
          type="date"
          label="Ends"
          description={`At 00:00 UTC. This identity's keys can end on ${latest} at the latest.`}
          value={end}
          min={tomorrow}
          max={latest}
          error={tried ? problem : undefined}
          classNames={fieldParts}
          onChange={({ currentTarget }) => setEnd(currentTarget.value)}
        />
      </div>
      <p>
        The new token can pull the same as the present one
        {repository === "*" ? null : (
          <>
            : <code>{repository}</code>
          </>
        )}
        . The present one stays valid until <Expiry value={before} soon={KEYS_EXPIRE} />
      </p>
      {query.data && held.length === 0 ? (
        <p className={classes["quiet"]}>
          The identity no longer has the role {PULL_ROLE} here. It is granted again.
        </p>
      ) : null}
      {error === undefined ? null : (
        <FailedPart title="The token wasn't replaced" error={error} onRetry={() => void make()} />
      )}
    </Dialog>
  );
}
