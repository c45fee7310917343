import type { ReactNode } from "react";

import { formatQuantity } from "~/ui/display/numbers";
import { Time } from "~/ui/display/time";
import { Notice } from "~/ui/feedback/notice";

import { namesOf, type LeakAnswer } from "./read";
import type { Leak } from "./read-leak";

interface ReachProps {
  readonly leak: Leak;
  readonly answer: LeakAnswer;
  readonly hasLog: boolean;
}

/** The first line: what the answer covers. */
export function Reach({ leak, answer, hasLog }: ReachProps): ReactNode {
  const { whose, apart, since, covered, more } = answer;
  const unsure = covered.filter(({ sure }) => !sure).length;
  const cut = more ? " Only the newest entries were read: there are more." : "";
  if (!hasLog)
    return (
      <Notice tone="warning" title="What it did is unknown">
        This service has no audit log. The page shows whose the token is and what it can do now.
      </Notice>
    );
  if (whose.length === 0)
    return (
      <Notice tone="warning" role="status" title="We couldn't find whose it is">
        {leak.token ? "No identity that you can see matches its claims" : "An ID alone doesn't say it"}
        {leak.jti === undefined
          ? ", and without an ID (jti) the audit log can't be searched for it."
          : ", and no entry of the audit log that you can see has its ID."}{" "}
        Entries from before the log kept IDs have none.
      </Notice>
    );
  if (apart)
    return (
      <Notice tone="info" role="status" title="The audit log tells this token from others">
        {covered.length === 0
          ? "No entry that you can see was made with it."
          : unsure === 0
            ? "Everything below was done with it."
            : `Everything below was done with it, but for ${formatQuantity(unsure, "entry", "entries")} marked “Perhaps”, which ${unsure === 1 ? "doesn't" : "don't"} say with which token.`}
        {cut}
      </Notice>
    );
  return (
    <Notice
      tone="warning"
      role="status"
      title={
        <>
          This covers everything that <bdi>{namesOf(whose)}</bdi> did
          {since === undefined ? (
            " since the log began"
          ) : (
            <>
              {" "}
              since <Time value={since} />
            </>
          )}
          , with any token
        </>
      }
    >
      {leak.jti === undefined
        ? "Without an ID (jti) the audit log can't tell this token from others."
        : whose.some(({ record }) => record?.staticKeys)
          ? "Whoever holds a static key chooses the ID of each token, so IDs prove nothing here."
          : "The identity is gone, or hidden by your role, so it is unknown whether its IDs can be trusted."}
      {cut}
    </Notice>
  );
}
