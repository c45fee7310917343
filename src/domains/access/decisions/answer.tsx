import { Button } from "@mantine/core";
import "~/ui/controls/button-styles";
import type { ReactNode } from "react";

import { ancestorsOf, isWithin, parentOf } from "platform-contract/aip";
import { askPage } from "~/domains/access/access-requests/links";
import { accessPage, bindingPage, createIdentityIn, grantLink } from "~/domains/access/grants/links";
import { capabilityWords, dottedName } from "~/domains/access/grants/capability-words";
import { heldAt } from "~/domains/access/grants/roles";
import { WhoDecides } from "~/domains/access/grants/who-decides";
import { countOf, mostOf, purposesOf } from "~/domains/access/roles/abilities";
import { RoleLink } from "~/domains/access/roles/role-link";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { useRefusal } from "~/frame/permissions/use-can";
import { useGroup } from "~/frame/scope/group-ancestry";
import { groupPage, placeWord } from "~/frame/scope/group-link";
import { kindOf } from "~/frame/scope/group-words";
import { uidToParam } from "~/frame/scope/uid-param";
import type { AnswerOf, Endpoint } from "platform-contract/endpoint";
import type { DecidingBinding, explainAccess, Remedy } from "platform-contract/iam/access-decisions";
import { identities } from "platform-contract/iam/identities";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { Section } from "~/ui/display/section";
import { formatQuantity } from "~/ui/display/numbers";
import { shorten } from "~/ui/display/shorten";
import { Time } from "~/ui/display/time";
import { Notice } from "~/ui/feedback/notice";
import { AppLink, type LinkTarget } from "~/ui/layout/link";

import type { DecisionSearch } from "./data";
import classes from "./styles.module.css";

const CREATE_IDENTITY = "CAP_IAM_IDENTITY_CREATE";

/** Who asks what about whom. */
export interface Question {
  /** uid of who it is about; undefined for the user. */
  readonly identity: string | undefined;
  /** "ci-release", "You". */
  readonly who: string;
  /** "pull images". */
  readonly act: string;
  /** Wire names of what it takes. */
  readonly capabilities: readonly string[];
  /** What the record is called: "the repo api", "platform". */
  readonly where: string;
}

type Decided = AnswerOf<typeof explainAccess>;

interface AnswerProps {
  readonly question: Question;
  readonly answer: Decided;
}

/** Yes, no or unknown, with the reason and what would change it. */
export function Answer({ question, answer }: AnswerProps): ReactNode {
  const { bindings = [], remedies = [], allowedBelow = [], decision } = answer;
  const counting = bindings.filter(({ noEffect }) => !noEffect);
  const idle = bindings.filter(({ noEffect }) => noEffect);
  return (
    <>
      <Verdict question={question} answer={answer} />
      {allowedBelow.length > 0 ? (
        <Section title="Where it is allowed">
          <ul className={classes["bindings"]}>
            {allowedBelow.map(({ group, groupName }) => (
              <li key={group}>
                <AppLink target={decisionIn(group)}>
                  In <bdi>{groupName ?? shorten(group)}</bdi>
                </AppLink>{" "}
                and below
              </li>
            ))}
          </ul>
          {allowedBelow.length < MOST_BELOW ? null : (
            <p className={classes["quiet"]}>At most {MOST_BELOW} folders are listed.</p>
          )}
        </Section>
      ) : null}
      {counting.length > 0 ? (
        <Section title={decision === "DECISION_ALLOWED" ? "Allowed by" : "Allows part of it"}>
          <Bindings bindings={counting} />
        </Section>
      ) : null}
      {idle.length > 0 ? (
        <Section title="Without effect">
          <Bindings bindings={idle} />
        </Section>
      ) : null}
      {decision !== "DECISION_ALLOWED" && !answer.deactivated && !answer.tokenLimited ? (
        <Remedies question={question} answer={answer} remedies={remedies} />
      ) : null}
    </>
  );
}

/** The same question in another group. */
const decisionIn = (group: string): LinkTarget => ({
  to: "/can",
  search: (now: DecisionSearch) => ({ ...now, group: uidToParam(group) }),
});

/** As many as the service names at most. */
const MOST_BELOW = 20;
const folders = (count: number): string =>
  count < MOST_BELOW ? formatQuantity(count, "folder", "folders") : `at least ${MOST_BELOW} folders`;

function Verdict({ question: { who, act, where }, answer }: AnswerProps): ReactNode {
  const { decision, missing = [], home, homeName, deactivated, tokenLimited, allowedBelow = [] } = answer;
  const isUser = who === "You";
  const can = `${who} can ${act} in ${where}`;
  const cannot = `${who} can't ${act} in ${where}`;
  const lacks =
    missing.length > 0 ? (
      <p>
        {decision === "DECISION_UNKNOWN" ? "Needed" : "Missing"}:{" "}
        <bdi>{missing.map(capabilityWords).join(", ")}</bdi>
      </p>
    ) : null;
  if (decision === "DECISION_ALLOWED")
    return (
      <Notice tone="success" word="Yes" title={can}>
        {isUser ? null : "This checks roles only, not whether they can sign in."}
      </Notice>
    );
  if (allowedBelow.length > 0)
    return (
      <Notice
        tone="warning"
        word="In part"
        title={`${who} can ${act} in ${folders(allowedBelow.length)} below ${where}, not in all of it`}
      >
        {decision === "DECISION_UNKNOWN" ? (
          <p>A role granted further up, which you can&apos;t see, might allow it everywhere.</p>
        ) : null}
      </Notice>
    );
  if (decision === "DECISION_UNKNOWN")
    return (
      <Notice tone="warning" word="Unknown" title={`Unknown whether ${who} can ${act} in ${where}`}>
        <p>
          No role that you can see allows it, but one granted further up, which you can&apos;t see, might.
        </p>
        {lacks}
      </Notice>
    );
  return (
    <Notice tone="danger" word="No" title={cannot}>
      {deactivated ? <p>Their directory has deactivated the account: they can&apos;t sign in.</p> : null}
      {tokenLimited ? (
        <p>Your roles allow it, but the token in use is limited to less. Sign in again without a limit.</p>
      ) : null}
      {home === undefined ? null : (
        <p>
          This machine belongs to <bdi>{homeName ?? shorten(home)}</bdi>. A role outside of that folder has no
          effect for it: another identity is needed.
        </p>
      )}
      {lacks}
    </Notice>
  );
}

const NO_EFFECT: Readonly<Record<string, string>> = {
  NO_EFFECT_OUT_OF_REACH: "outside of the folder that the machine belongs to",
  NO_EFFECT_ENDED: "ended",
};

function Bindings({ bindings }: { readonly bindings: readonly DecidingBinding[] }): ReactNode {
  return (
    <ul className={classes["bindings"]}>
      {bindings.map(({ roleBinding, role, roleName, group, groupName, expirationTime, noEffect }) => (
        <li key={roleBinding}>
          <RoleLink uid={role} name={roleName ?? shorten(role)} />{" "}
          <AppLink target={bindingPage(roleBinding)}>
            granted in <bdi>{groupName ?? shorten(group)}</bdi>
          </AppLink>
          {expirationTime === undefined ? null : (
            <>
              , {noEffect === "NO_EFFECT_ENDED" ? "ended" : "ends"} <Time value={expirationTime} />
            </>
          )}
          {noEffect === undefined || noEffect === "NO_EFFECT_ENDED"
            ? null
            : `: ${NO_EFFECT[noEffect] ?? "it has no effect"}`}
        </li>
      ))}
    </ul>
  );
}

interface RemediesProps extends AnswerProps {
  readonly remedies: readonly Remedy[];
}

/** The smallest roles that would allow it, to grant or to ask for. */
function Remedies({ question, answer, remedies }: RemediesProps): ReactNode {
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

/** How the roles that are shown were chosen from all that the user can see. */
const orderWords = (shown: readonly Remedy[], all: readonly Remedy[]): string =>
  shown.length > 1
    ? `The roles that allow the fewest other changes come first, then those that give the fewest capabilities. Roles that you can\u2019t see${shown.length < all.length ? ", or that would let them manage access too," : ""} aren\u2019t listed.`
    : all.length > 1
      ? "The smallest that you can see is listed."
      : "No other role that you can see would.";

/** Without the roles that would let them manage access besides, if there are others. */
export function withoutManaging(remedies: readonly Remedy[]): readonly Remedy[] {
  const smaller = remedies.filter(({ adds = [] }) => mostOf(adds) !== "manages");
  return smaller.length > 0 ? smaller : remedies;
}

/** Why the user can't use an endpoint in a group; also where they have no role, so that nothing is known of it. */
function useRefusalIn(): (endpoint: Pick<Endpoint, "access">, group: string) => string | undefined {
  const { state, bindings } = useCurrentUser();
  const refusal = useRefusal();
  return (endpoint, group) =>
    state !== "known" || bindings.some(({ uid }) => isWithin(group, parentOf(uid)))
      ? refusal(endpoint, group)
      : "You have no role there";
}

/** Of the roles that somebody can ask for, the smallest; none if that would let them manage access besides. */
const worthAsking = (remedies: readonly Remedy[], asked: readonly string[]): readonly Remedy[] =>
  remedies.slice(0, 1).filter(({ adds = [] }) => mostOf(asked) === "manages" || mostOf(adds) !== "manages");

interface AnotherIdentityProps {
  /** uid of the folder that the machine belongs to. */
  readonly home: string;
  /** uid of the machine. */
  readonly like: string | undefined;
  readonly answer: Decided;
  readonly remedies: readonly Remedy[];
}

/** For a machine whose folder the record is not in: where one has to be created instead, with which role and by whom. */
function AnotherIdentity({ home, like, answer, remedies }: AnotherIdentityProps): ReactNode {
  const { group = "", groupName, homeName } = answer;
  const refusal = useRefusalIn();
  const reason = refusal(identities.create, group);
  const smallest = withoutManaging(remedies);
  // An identity of the nearest folder that contains both can also do what this one does.
  const shared = [...ancestorsOf(group), group].findLast((place) => isWithin(home, place));
  const { group: both } = useGroup(shared);
  const name = <bdi>{groupName ?? shorten(group)}</bdi>;
  return (
    <Section
      title={answer.allowedBelow ? "What would allow it everywhere" : "What would allow it"}
      description={
        <>
          Another identity in {placeWord(group).toLowerCase()}{" "}
          <AppLink target={groupPage(group)}>{name}</AppLink>, signing in as this machine does, with one of
          these roles granted there.
          {shared === undefined || shared === group ? null : (
            <>
              {" "}
              {refusal(identities.create, shared) === undefined ? (
                <>
                  For a single identity that also acts in <bdi>{homeName ?? shorten(home)}</bdi>, create it in{" "}
                  <bdi>{both?.name ?? shorten(shared)}</bdi> and grant it the roles in each folder.
                </>
              ) : (
                <>
                  A single identity that also acts in <bdi>{homeName ?? shorten(home)}</bdi> would have to be
                  created in{" "}
                  {both ? (
                    <bdi>{both.name}</bdi>
                  ) : (
                    `the ${kindOf(shared)} above both, which you can\u2019t see`
                  )}
                  : ask one of its owners.
                </>
              )}
            </>
          )}{" "}
          {orderWords(smallest, remedies)}
        </>
      }
    >
      <Roles remedies={smallest} action={() => null} />
      <div className={classes["actions"]}>
        {reason === undefined ? (
          <Button
            variant={answer.allowedBelow ? "default" : "filled"}
            component={AppLink}
            target={createIdentityIn(group, like, smallest[0]?.role)}
          >
            <span>Create identity in {name}</span>
          </Button>
        ) : (
          <p className={classes["quiet"]}>You can&apos;t create an identity there yourself. {reason}.</p>
        )}
        <Button variant="default" component={AppLink} target={accessPage(group, CREATE_IDENTITY)}>
          Who can create identities there
        </Button>
      </div>
    </Section>
  );
}

interface RolesProps {
  readonly remedies: readonly Remedy[];
  readonly action: (remedy: Remedy) => ReactNode;
}

/** Roles, and what each would give besides. */
function Roles({ remedies, action }: RolesProps): ReactNode {
  return (
    <ul className={classes["bindings"]}>
      {remedies.map((remedy) => {
        const { role, roleName, adds = [] } = remedy;
        return (
          <li key={role}>
            <RoleLink uid={role} name={roleName ?? shorten(role)} />{" "}
            {adds.length === 0 ? (
              "gives nothing else"
            ) : (
              <details className={classes["adds"]}>
                <summary>also gives {purposesOf(adds)}</summary>
                <bdi>{adds.map(capabilityWords).join(", ")}</bdi>
              </details>
            )}{" "}
            {action(remedy)}
          </li>
        );
      })}
    </ul>
  );
}
