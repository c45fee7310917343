import type { ReactNode } from "react";

import type { EligibleGrant } from "platform-contract/iam/eligible-grants";
import { useNow } from "~/ui/clock";
import { Badge } from "~/ui/display/badge";
import { Time } from "~/ui/display/time";

import { durationWords, NOT_HELD, standingOf, type Standing } from "./data";
import classes from "./styles.module.css";

const WORDS = {
  on: { tone: "success", word: "Switched on" },
  waiting: { tone: "warning", word: "Waiting for approval" },
  declined: { tone: "danger", word: "Declined" },
  off: { tone: "quiet", word: "Off" },
  ended: { tone: "quiet", word: "Ended" },
} as const satisfies Readonly<Record<Standing, object>>;

/** Whether it is held now, in a word and a sentence. */
export function StandingOf({ grant }: { readonly grant: EligibleGrant }): ReactNode {
  const standing = standingOf(grant, useNow(30));
  const { tone, word } = WORDS[standing];
  return (
    <span className={classes["standing"]}>
      <Badge tone={tone}>{word}</Badge>{" "}
      <span className={classes["quiet"]}>
        <About grant={grant} standing={standing} />
      </span>
    </span>
  );
}

function About({ grant, standing }: { readonly grant: EligibleGrant; readonly standing: Standing }) {
  const { activation, expirationTime } = grant;
  const { decidedByName: by, answer, reason, duration } = activation ?? {};
  switch (standing) {
    case "on":
      return (
        <>
          until <Time value={activation?.endTime} />
          {by ? (
            <>
              , approved by <bdi>{by}</bdi>
            </>
          ) : null}
          : <bdi>{reason}</bdi>
        </>
      );
    case "waiting":
      return (
        <>
          asked <Time value={activation?.requestTime} /> for {durationWords(duration)}: <bdi>{reason}</bdi>.{" "}
          {NOT_HELD}
        </>
      );
    case "declined":
      return (
        <>
          {by ? (
            <>
              by <bdi>{by}</bdi>:{" "}
            </>
          ) : null}
          <bdi>{answer}</bdi>. {NOT_HELD}
        </>
      );
    case "ended":
      return (
        <>
          It could be switched on until <Time value={expirationTime} />.
        </>
      );
    default:
      return NOT_HELD;
  }
}
