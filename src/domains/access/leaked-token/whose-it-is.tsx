import type { ReactNode } from "react";

import { identityLink } from "~/frame/record/identity-link";
import { GroupLink } from "~/frame/scope/group-link";
import { isPerson } from "~/frame/scope/people";
import { parentOf } from "platform-contract/aip";
import { useNow } from "~/ui/clock";
import { Code } from "~/ui/display/code";
import { DefinitionList } from "~/ui/display/definition-list";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { AppLink } from "~/ui/layout/link";

import type { LeakAnswer } from "./read";
import type { Leak } from "./read-leak";
import classes from "./styles.module.css";

const wire = (time: number | undefined): string | undefined =>
  time === undefined ? undefined : new Date(time).toISOString();

interface WhoseItIsProps {
  readonly leak: Leak;
  readonly answer: LeakAnswer;
}

/** The identities of the token, and what it says of itself. */
export function WhoseItIs({ leak, answer: { whose } }: WhoseItIsProps): ReactNode {
  const { token, jti, issued, ends } = leak;
  const now = useNow(60);
  const code = (value: string | undefined, what: string) =>
    value === undefined ? undefined : <Code value={value} what={what} />;
  // Otherwise it is about an identity, since a time that the user chose.
  const isToken = token !== undefined || jti !== undefined;
  const unsaid = <span className={classes["quiet"]}>{token ? "The token doesn't say" : "Unknown"}</span>;
  return (
    <Section title="Whose it is">
      <DefinitionList
        items={[
          {
            term: "Identity",
            value:
              whose.length === 0 ? (
                <span className={classes["quiet"]}>Unknown</span>
              ) : (
                <ul className={classes["plain"]}>
                  {whose.map(({ uid, name, record, by }) => (
                    <li key={uid}>
                      {record ? (
                        <AppLink target={identityLink(uid)}>
                          <bdi>{name}</bdi>
                        </AppLink>
                      ) : (
                        <bdi>{name}</bdi>
                      )}{" "}
                      <span className={classes["quiet"]}>
                        {isPerson(uid) ? (
                          "a person"
                        ) : (
                          <>
                            in <GroupLink uid={parentOf(uid)} />
                          </>
                        )}
                        {record ? "" : ", deleted or hidden by your role"}
                        {by === "log" ? ", by the audit log" : ""}
                      </span>
                    </li>
                  ))}
                </ul>
              ),
            wide: true,
          },
          ...(token
            ? [
                { term: "Issuer (iss)", value: code(token.issuer, "issuer"), wide: true },
                { term: "Subject (sub)", value: code(token.subject, "subject"), wide: true },
              ]
            : []),
          ...(isToken
            ? [
                { term: "ID (jti)", value: code(jti, "ID"), wide: true },
                { term: "Issued", value: issued === undefined ? unsaid : <Time value={wire(issued)} /> },
                {
                  term: "Ends",
                  value:
                    ends === undefined ? (
                      unsaid
                    ) : ends <= now ? (
                      <>
                        <Time value={wire(ends)} /> (it has ended)
                      </>
                    ) : (
                      <Time value={wire(ends)} />
                    ),
                },
              ]
            : []),
        ]}
      />
    </Section>
  );
}
