import { Button, NativeSelect, TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useRef, useState, type ReactNode } from "react";

import { serviceTime } from "~/api/client/service-clock";
import { useCreate } from "~/api/mutations/writes";
import { useGroup } from "~/frame/scope/group-ancestry";
import { PickGroup } from "~/frame/group-tree/pick-group";
import { useParentOptions } from "~/frame/scope/use-parent-options";
import { ApiError } from "platform-client/errors";
import { isWithin, parentOf } from "platform-contract/aip";
import { identities, type Identity } from "platform-contract/iam/identities";
import { useGrant } from "~/domains/access/grants/grant";
import { useRoleChoice } from "~/domains/access/grants/roles";
import { repoQuery } from "~/domains/registry/references/repo-query";
import { WithoutRegistry } from "~/domains/registry/usage/without-registry";
import "~/ui/controls/button-styles";
import { shorten } from "~/ui/display/shorten";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { useWritesPaused } from "~/ui/feedback/writes-paused";
import { fieldParts, MORE } from "~/ui/form/field-parts";
import { Dialog } from "~/ui/overlay/dialog";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import { usePullTokenRefusal } from "./use-refused";
import { Made } from "./made";
import { keysDocument, newSubject, signPullToken, type SignedToken } from "./sign";
import { PULL_ROLE, pullTokenIssuer } from "./pull-tokens";
import classes from "./pull-token.module.css";
import { dayIn, endProblem, latestDay, MOST_DAYS, nameProblem } from "./texts";

/** Days until the end that is offered. */
const DAYS = 90;

interface PullTokenProps {
  /** uid of the folder that is chosen at first; undefined if the user has chosen none. */
  readonly scope: string | undefined;
  /** uid of the repo it is for; undefined for those of a folder. */
  readonly repo: string | undefined;
  readonly onClose: () => void;
}

/** Makes a token that can only pull: an identity whose one key is known to nobody, and a token that it signed. */
export function PullToken(props: PullTokenProps): ReactNode {
  const { repo: repoUid } = props;
  const { config } = useRouteContext({ from: "__root__" });
  const { data: repo, error } = useQuery({ ...repoQuery(repoUid ?? ""), enabled: repoUid !== undefined });
  const audience = config.registryAudience;
  if (audience === undefined)
    return (
      <Dialog title="Create pull token" size="34rem" onClose={props.onClose}>
        <WithoutRegistry>Pull tokens need a registry</WithoutRegistry>
      </Dialog>
    );
  if (repoUid !== undefined && !repo)
    return (
      <Dialog title="Create pull token" size="34rem" onClose={props.onClose}>
        <p>{error ? "No repo that you can see has this ID." : "Loading…"}</p>
      </Dialog>
    );
  return <Asking {...props} repoName={repo?.name} audience={audience} />;
}

interface AskingProps extends PullTokenProps {
  readonly repoName: string | undefined;
  readonly audience: string;
}

function Asking({ scope, repo, repoName, audience, onClose }: AskingProps): ReactNode {
  const { baseUrl, registryHost = "" } = useRouteContext({ from: "__root__" }).config;
  const now = serviceTime();
  const home = repo === undefined ? scope : parentOf(repo);
  const [chosen, setChosen] = useState(repo === undefined ? (home ?? "") : repo);
  const folder = chosen === repo ? (home ?? "") : chosen;
  const isOne = repo !== undefined && chosen === repo;
  const { group } = useGroup(folder || undefined);
  const [typedName, setTypedName] = useState<string>();
  const [end, setEnd] = useState(() => dayIn(DAYS, now));
  const suggested = `pull ${repoName ?? group?.name ?? ""} ${dayIn(0, now)}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9 ._-]+/g, "-");
  const name = typedName ?? suggested;
  const { options: listed, more } = useParentOptions(home, folder || undefined);
  const [finding, setFinding] = useState(false);
  const select = useRef<HTMLSelectElement>(null);
  const options = listed.filter(({ uid }) => repo === undefined || isWithin(repo, uid));
  const { roles } = useRoleChoice(folder);
  const role = roles.find((one) => one.name === PULL_ROLE && parentOf(one.uid) === "");
  const refusal = usePullTokenRefusal();
  const paused = useWritesPaused();
  const create = useCreate(identities);
  const grant = useGrant();
  const [state, setState] = useState<"asking" | "making">("asking");
  const [error, setError] = useState<unknown>();
  const [tried, setTried] = useState(false);
  // Only in the memory of this component: never in a request, a storage, a cache or the address.
  const signed = useRef<SignedToken & { readonly of: string }>(undefined);
  const [token, setToken] = useState<string>();
  const [made, setMade] = useState<Identity>();
  const namespace = group?.namespace;
  const problems = { name: nameProblem(name), end: endProblem(end, now, latestDay(now)) };
  const reason =
    paused?.reason ??
    (folder === "" ? "Choose a folder" : undefined) ??
    refusal(folder) ??
    (isOne && namespace === undefined && group
      ? "The name of the organization in the registry isn't known"
      : undefined);

  const make = async () => {
    setTried(true);
    if (state !== "asking" || problems.name || problems.end || !role) return;
    setState("making");
    setError(undefined);
    const expires = new Date(`${end}T00:00:00Z`);
    const issuer = pullTokenIssuer(baseUrl);
    try {
      let identity = made;
      if (!identity) {
        const only = isOne ? `${namespace}/${repoName}` : undefined;
        // A second press after a failure sends the same key: the first request may have arrived.
        const of = JSON.stringify([name, folder, end, only]);
        if (signed.current?.of !== of)
          signed.current = {
            of,
            ...(await signPullToken({ issuer, audience, now, expires, subject: newSubject(only) })),
          };
        const { subject, key } = signed.current;
        const expirationTime = expires.toISOString();
        identity = await create.mutateAsync({
          parent: folder,
          body: {
            name,
            description: isOne ? `Pull token for ${repoName}` : "Pull token",
            staticKeys: {
              issuer,
              subject,
              issuerKeys: keysDocument(key),
              expirationTime,
              audiences: [audience],
            },
          },
        });
        setMade(identity);
      }
      await grant({
        identities: [identity.uid],
        roleUid: role.uid,
        parent: folder,
        expirationTime: expires.toISOString(),
      }).catch((problem: unknown) => {
        // The earlier answer was lost.
        if (!(problem instanceof ApiError && problem.code === "ALREADY_EXISTS")) throw problem;
      });
      setToken(signed.current?.token);
    } catch (problem) {
      setError(problem ?? new Error());
      setState("asking");
    }
  };

  if (token !== undefined)
    return (
      <Made
        token={token}
        name={name}
        host={registryHost}
        repository={`${namespace ?? "<organization>"}/${isOne ? repoName : "<repo>"}`}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      title="Create pull token"
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
          label="Name"
          value={name}
          error={tried ? problems.name : undefined}
          classNames={fieldParts}
          autoComplete="off"
          disabled={made !== undefined}
          onChange={({ currentTarget }) => setTypedName(currentTarget.value)}
        />
        <NativeSelect
          label="Can pull"
          classNames={fieldParts}
          value={chosen}
          disabled={made !== undefined}
          ref={select}
          onChange={({ currentTarget }) =>
            currentTarget.value === MORE ? setFinding(true) : setChosen(currentTarget.value)
          }
          data={[
            ...(chosen === "" ? [{ value: "", label: "Choose a folder" }] : []),
            ...(repo === undefined ? [] : [{ value: repo, label: `Only ${repoName ?? shorten(repo)}` }]),
            ...options.map(({ uid, label }) => ({ value: uid, label: `All repos in ${label}` })),
            ...(repo === undefined && more !== undefined ? [{ value: MORE, label: more }] : []),
          ]}
        />
        {finding ? (
          <PickGroup
            label="All groups"
            current={folder || undefined}
            onPick={(uid) => {
              setChosen(uid);
              setFinding(false);
              select.current?.focus();
            }}
          />
        ) : null}
        <TextInput
          type="date"
          label="Ends"
          description={`At 00:00 UTC, at most ${MOST_DAYS} days from now.`}
          value={end}
          min={dayIn(1, now)}
          max={dayIn(MOST_DAYS, now)}
          error={tried ? problems.end : undefined}
          classNames={fieldParts}
          disabled={made !== undefined}
          onChange={({ currentTarget }) => setEnd(currentTarget.value)}
        />
      </div>
      <p className={classes["quiet"]}>
        Creates an identity with the role {PULL_ROLE}. The token can only pull; the API doesn't accept it. To
        revoke it, delete the identity.
      </p>
      {tried && !role && folder !== "" ? (
        <Notice tone="warning">The role {PULL_ROLE} couldn&apos;t be found.</Notice>
      ) : null}
      {made && error !== undefined ? (
        <Notice tone="warning" title={`Identity ${made.name} was created, but has no role yet`}>
          Without it the token can&apos;t pull anything.
        </Notice>
      ) : null}
      {error === undefined ? null : (
        <FailedPart title="The token wasn't created" error={error} onRetry={() => void make()} />
      )}
    </Dialog>
  );
}
