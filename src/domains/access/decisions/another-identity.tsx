import { Button } from "@mantine/core";
import "~/ui/controls/button-styles";
import type { ReactNode } from "react";

import { ancestorsOf, isWithin } from "platform-contract/aip";
import { accessPage, createIdentityIn } from "~/domains/access/grants/links";
import { useGroup } from "~/frame/scope/group-ancestry";
import { groupPage, placeWord } from "~/frame/scope/group-link";
import { kindOf } from "~/frame/scope/group-words";
import { identities } from "platform-contract/iam/identities";
import { Section } from "~/ui/display/section";
import { shorten } from "~/ui/display/shorten";
import type { Remedy } from "platform-contract/iam/access-decisions";
import { AppLink } from "~/ui/layout/link";

import type { Decided } from "./question";
import { orderWords, Roles, withoutManaging } from "./smallest-roles";
import { useRefusalIn } from "./use-refusal-in";
import classes from "./styles.module.css";

const CREATE_IDENTITY = "CAP_IAM_IDENTITY_CREATE";

interface AnotherIdentityProps {
  /** uid of the folder that the machine belongs to. */
  readonly home: string;
  /** uid of the machine. */
  readonly like: string | undefined;
  readonly answer: Decided;
  readonly remedies: readonly Remedy[];
}

/** For a machine whose folder the record is not in: where one has to be created instead, with which role and by whom. */
export function AnotherIdentity({ home, like, answer, remedies }: AnotherIdentityProps): ReactNode {
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
