import { Button } from "@mantine/core";
import "~/ui/controls/button-styles";
import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import { askPage } from "~/domains/access/access-requests/links";
import { grantLink } from "~/domains/access/grants/links";
import { dottedName } from "~/domains/access/grants/capability-words";
import { heldAt } from "~/domains/access/grants/roles";
import { WhoDecides } from "~/domains/access/grants/who-decides";
import { countOf, mostOf } from "~/domains/access/roles/abilities";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { groupPage, placeWord } from "~/frame/scope/group-link";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { Section } from "~/ui/display/section";
import { shorten } from "~/ui/display/shorten";
import type { Remedy } from "platform-contract/iam/access-decisions";
import { AppLink } from "~/ui/layout/link";

import { AnotherIdentity } from "./another-identity";
import type { AnswerProps } from "./question";
import { orderWords, Roles, withoutManaging } from "./smallest-roles";
import { useRefusalIn } from "./use-refusal-in";
import classes from "./styles.module.css";

interface RemediesProps extends AnswerProps {
  readonly remedies: readonly Remedy[];
}

/** The smallest roles that would allow it, to grant or to ask for. */
export function Remedies(props: RemediesProps): ReactNode {
  const { question, answer } = props;
  const { eligibleGrants = [] } = answer;
  return (
    <>
      {eligibleGrants.length > 0 ? (
        <Section
          title="What can be switched on"
          description={`${question.identity === undefined ? "You are" : `${question.who} is`} eligible for this. Not held until it is switched on.`}
        >
          <ul className={classes["bindings"]}>
            {eligibleGrants.map(({ eligibleGrant, role, roleName, group, groupName }) => (
              <li key={eligibleGrant}>
                <bdi>{roleName ?? shorten(role)}</bdi> in <bdi>{groupName ?? shorten(group)}</bdi>
                {question.identity === undefined ? (
                  <>
                    {" "}
                    <AppLink target={ELIGIBLE}>Switch on</AppLink>
                  </>
                ) : null}
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
      <Roleful {...props} />
    </>
  );
}

const ELIGIBLE = { to: "/eligible" } as const;

function Roleful({ question, answer, remedies }: RemediesProps): ReactNode {
  const { identity, act, capabilities } = question;
  const { group = "", groupName } = answer;
  const reason = useRefusalIn()(roleBindings.create, group);
  const held = heldAt(useCurrentUser(), group);
  if (answer.home !== undefined && remedies.length > 0)
    return <AnotherIdentity home={answer.home} like={identity} answer={answer} remedies={remedies} />;
  const asks = reason !== undefined && identity === undefined;
  const smallest = withoutManaging(remedies);
  const shown = asks ? worthAsking(remedies, capabilities) : smallest;
  const permission = `${act} (${capabilities.map(dottedName).join(", ")})`;
  return (
    <Section
      title={answer.allowedBelow ? "What would allow it everywhere" : "What would allow it"}
      description={
        remedies.length === 0 ? (
          "No role that you can see would allow this. An owner can create one."
        ) : shown.length === 0 ? undefined : (
          <>
            A role granted in {placeWord(group).toLowerCase()}{" "}
            <AppLink target={groupPage(group)}>
              <bdi>{groupName ?? shorten(group)}</bdi>
            </AppLink>
            {parentOf(group) === "" ? null : " or above it"}. {orderWords(shown, remedies)}
          </>
        )
      }
    >
      <Roles
        remedies={shown}
        action={({ role, roleName, adds = [] }) => {
          if (reason !== undefined) return null;
          const beyond = held ? [...capabilities, ...adds].filter((one) => !held.has(one)) : [];
          // The service refuses to let anyone grant more than they have.
          return beyond.length > 0 ? (
            <>(you can&apos;t grant it: {countOf(beyond)} that you don&apos;t have)</>
          ) : (
            <AppLink target={grantLink({ identity, role, group })} aria-label={`Grant ${roleName ?? "role"}`}>
              Grant
            </AppLink>
          );
        }}
      />
      {reason === undefined ? null : (
        <>
          <p className={classes["quiet"]}>You can&apos;t grant a role there yourself. {reason}.</p>
          <WhoDecides group={group} />
        </>
      )}
      {asks ? (
        <div>
          <Button variant="default" component={AppLink} target={askPage(group, permission)}>
            Ask for permission to {permission}
          </Button>
        </div>
      ) : null}
    </Section>
  );
}

/** Of the roles that somebody can ask for, the smallest; none if that would let them manage access besides. */
const worthAsking = (remedies: readonly Remedy[], asked: readonly string[]): readonly Remedy[] =>
  remedies.slice(0, 1).filter(({ adds = [] }) => mostOf(asked) === "manages" || mostOf(adds) !== "manages");
