import type { ReactNode } from "react";

import { bindingPage } from "~/domains/access/grants/links";
import { capabilityWords } from "~/domains/access/grants/capability-words";
import { RoleLink } from "~/domains/access/roles/role-link";
import { uidToParam } from "~/frame/scope/uid-param";
import { Section } from "~/ui/display/section";
import { formatQuantity } from "~/ui/display/numbers";
import { shorten } from "~/ui/display/shorten";
import { Time } from "~/ui/display/time";
import { Notice } from "~/ui/feedback/notice";
import type { DecidingBinding } from "platform-contract/iam/access-decisions";
import { AppLink, type LinkTarget } from "~/ui/layout/link";

import type { DecisionSearch } from "./data";
import type { AnswerProps } from "./question";
import { Remedies } from "./remedies";
import classes from "./styles.module.css";

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
