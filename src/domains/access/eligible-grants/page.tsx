import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { PowerIcon } from "lucide-react";
import { useState, type ReactNode } from "react";

import { useSession } from "~/auth/use-session";
import { useAccountPages } from "~/frame/account-pages";
import { useCleanAddress } from "~/frame/clean-address";
import { useScreenList } from "~/frame/request-inspector/record-actions";
import { groupPage } from "~/frame/scope/group-link";
import { useTitle } from "~/frame/scope/title";
import { parentOf } from "platform-contract/aip";
import { deactivateEligibleGrant, type EligibleGrant } from "platform-contract/iam/eligible-grants";
import { useNow } from "~/ui/clock";
import { ActionButton } from "~/ui/controls/action-button";
import "~/ui/controls/button-styles";
import { Time } from "~/ui/display/time";
import { Empty } from "~/ui/feedback/empty";
import { errorFacts } from "~/ui/feedback/error-facts";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";
import { Page, PageHeader } from "~/ui/layout/page";
import { onDemand } from "~/ui/on-demand";

import { NOT_HELD, ownQuery, placeOf, roleOf, standingOf, termsOf } from "./data";
import { StandingOf } from "./standing";
import classes from "./styles.module.css";
import { useDeed } from "./use-deed";
import { WaitingActivations } from "./lazy-parts";

const SwitchOn = onDemand(async () => (await import("./switch-on")).SwitchOn);

const TITLE = "Access you can switch on";

/** What the user can switch on for hours, and what of others waits for their approval. */
export function EligiblePage(): ReactNode {
  useCleanAddress(Object);
  useTitle(TITLE);
  const { config } = useRouteContext({ from: "__root__" });
  return (
    <Page>
      <PageHeader
        icon={PowerIcon}
        title={TITLE}
        description={`Roles that you can have for a few hours, with a reason. ${NOT_HELD}`}
      />
      {config.eligibleGrants ? (
        <>
          <WaitingActivations group={undefined} />
          <Own />
        </>
      ) : (
        <Notice>This service has no access to switch on.</Notice>
      )}
    </Page>
  );
}

function Own(): ReactNode {
  const { data, error, refetch } = useQuery(ownQuery());
  useScreenList(ownQuery().queryKey);
  const [chosen, setChosen] = useState<string>();
  if (error && !data)
    return <FailedPart title="What you can switch on couldn't be loaded" error={error} onRetry={refetch} />;
  if (!data)
    return (
      <p role="status" className={classes["quiet"]}>
        Loading…
      </p>
    );
  const { eligibleGrants: grants = [], secondFactor = false } = data;
  const opened = grants.find(({ uid }) => uid === chosen);
  if (grants.length === 0)
    return (
      <Empty icon={<PowerIcon size={24} />} title="Nothing to switch on">
        Owners can make you eligible for a role: you then switch it on here when you need it.
      </Empty>
    );
  return (
    <>
      {opened ? <SwitchOn key={opened.uid} grant={opened} onClose={() => setChosen(undefined)} /> : null}
      <ul className={classes["list"]} aria-label={TITLE}>
        {grants.map((grant) => (
          <One key={grant.uid} grant={grant} factor={secondFactor} onSwitchOn={() => setChosen(grant.uid)} />
        ))}
      </ul>
    </>
  );
}

interface OneProps {
  readonly grant: EligibleGrant;
  /** The user signed in with a second factor. */
  readonly factor: boolean;
  readonly onSwitchOn: () => void;
}

function One({ grant, factor, onSwitchOn }: OneProps): ReactNode {
  const standing = standingOf(grant, useNow(30));
  const [role, place] = [roleOf(grant), placeOf(grant)];
  const isOn = standing === "on";
  const { mutate, isPending, error } = useDeed(deactivateEligibleGrant, () =>
    isOn ? `Switched off ${role} in ${place}` : `Withdrew the request for ${role} in ${place}`,
  );
  const lacksFactor = grant.requireSecondFactor === true && !factor;
  return (
    <li aria-label={`${role} in ${place}`}>
      <div>
        <strong>
          <bdi>{role}</bdi>
        </strong>{" "}
        in{" "}
        {isOn ? (
          <AppLink target={groupPage(parentOf(grant.uid))}>
            <bdi>{place}</bdi>
          </AppLink>
        ) : (
          <bdi>{place}</bdi>
        )}{" "}
        <span className={classes["quiet"]}>
          {termsOf(grant)}
          {grant.expirationTime && standing !== "ended" ? (
            <>
              , until <Time value={grant.expirationTime} />
            </>
          ) : null}
          {grant.madeByName ? (
            <>
              , made by <bdi>{grant.madeByName}</bdi>
            </>
          ) : null}
        </span>
      </div>
      {grant.description ? <p dir="auto">{grant.description}</p> : null}
      <StandingOf grant={grant} />
      {lacksFactor && (standing === "off" || standing === "declined") ? <SecondFactor /> : null}
      {error ? (
        <Notice
          tone="danger"
          role="alert"
          title={isOn ? "It wasn't switched off" : "The request wasn't withdrawn"}
        >
          {errorFacts(error).message}
        </Notice>
      ) : null}
      <div className={classes["deeds"]}>
        {standing === "off" || standing === "declined" ? (
          <ActionButton reason={lacksFactor ? "It needs a second factor" : undefined} onClick={onSwitchOn}>
            {grant.requireApproval ? `Ask for ${role}` : `Switch on ${role}`}
          </ActionButton>
        ) : null}
        {isOn || standing === "waiting" ? (
          <Button
            variant="default"
            loading={isPending}
            onClick={() => mutate({ uid: grant.uid, body: {} })}
            aria-label={isOn ? `Switch off ${role} now` : `Withdraw the request for ${role}`}
          >
            {isOn ? "Switch off now" : "Withdraw"}
          </Button>
        ) : null}
      </div>
    </li>
  );
}

/** How to get a second factor into the session. */
function SecondFactor(): ReactNode {
  const accountPages = useAccountPages();
  const session = useSession();
  return (
    <Notice
      title="It needs a second factor"
      actions={
        <>
          {accountPages === undefined ? null : <a href={`${accountPages}/security`}>Second factors</a>}
          <Button variant="default" onClick={() => void session.signInAgain()}>
            Sign in again
          </Button>
        </>
      }
    >
      Set one up in your account, then sign in again.
    </Notice>
  );
}
