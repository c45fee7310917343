import { useRouteContext } from "@tanstack/react-router";
import { useMemo, type ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { identities, type Identity } from "platform-contract/iam/identities";
import type { Scope } from "~/frame/scope/scope";
import { useUnseen } from "~/frame/scope/use-sight";
import { ClientFilteredList } from "~/frame/list/client-filtered-list";
import { identityScreens } from "../data";
import { useNow } from "~/ui/clock";
import { ActionButton } from "~/ui/controls/action-button";
import { Code } from "~/ui/display/code";
import { DefinitionList } from "~/ui/display/definition-list";
import { Document, written } from "~/ui/display/json-document";
import { formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";

import { compare, takesTokens, type Comparison } from "./compare";
import type { IdentityValues } from "../values";
import { ComparisonCard } from "./comparison-card";
import { identityFor } from "./new-identity";
import { readToken, timeOf, type Problem, type Token } from "./read-token";
import classes from "./styles.module.css";

interface VerdictProps {
  /** The pasted text. */
  readonly text: string;
  readonly scope: Scope;
  readonly known: boolean;
  readonly onEdit: (uid: string) => void;
  /** Opens the form of a new identity with these values. */
  readonly onCreate: (from: IdentityValues) => void;
}

/** Decodes a pasted text, and shows which identities of the scope it matches. */
export function Verdict({ text, scope, known, onEdit, onCreate }: VerdictProps): ReactNode {
  const { config } = useRouteContext({ from: "__root__" });
  const token = useMemo(() => readToken(text, config, 0).token, [text, config]);
  // Each second: a new token is valid from now on.
  const { problems } = readToken(text, config, useNow(1));
  if (!token) return <Problems problems={problems} tone="danger" />;
  return (
    <>
      <ClientFilteredList
        list={identityScreens.resolve(scope, {}).whole}
        enabled={known}
        // Part of a cache key, so it must not contain anything of the token.
        filter="signs in with OIDC tokens"
        matches={takesTokens}
        what="identities"
        one="identity"
        called="checked"
        others="don't use OIDC tokens"
        emptyState={null}
      >
        {({ rows, query }) =>
          query.isError ? (
            <FailedPart
              title="Identities couldn't be read"
              error={query.error}
              onRetry={() => query.refetch?.()}
            />
          ) : (
            <Results
              token={token}
              problems={problems}
              rows={rows}
              done={query.isPartial === false}
              platform={config.apiBaseUrl}
              own={token.issuer === config.oidc.authority}
              group={scope.group}
              onEdit={onEdit}
              onCreate={onCreate}
            />
          )
        }
      </ClientFilteredList>
      <TokenFacts token={token} />
    </>
  );
}

interface ResultsProps {
  readonly token: Token;
  readonly problems: readonly Problem[];
  readonly rows: readonly Identity[];
  /** True once every identity was checked. */
  readonly done: boolean;
  readonly platform: string;
  /** True for a token of the platform's own sign-in. */
  readonly own: boolean;
  readonly group: string | undefined;
  readonly onEdit: (uid: string) => void;
  readonly onCreate: (from: IdentityValues) => void;
}

/** Maximum number of near misses to show in full. */
const SHOWN = 5;

/** Compares each identity once. `now` is in ms. */
function judgeOf(token: Token, platform: string, now: number): (identity: Identity) => Comparison {
  const known = new WeakMap<Identity, Comparison>();
  return (identity) => {
    const before = known.get(identity);
    if (before) return before;
    const made = compare(identity, token, platform, now);
    known.set(identity, made);
    return made;
  };
}

function Results(props: ResultsProps): ReactNode {
  const { token, problems, rows, done, platform, own, group, onEdit, onCreate } = props;
  const refusal = useRefusal()(identities.create, group);
  const now = useNow(60);
  const judge = useMemo(() => judgeOf(token, platform, now), [token, platform, now]);
  const all = rows.map(judge);
  const fitting = all.filter(({ fits }) => fits);
  const near = all.filter((each) => each.near).toSorted((a, b) => a.distance - b.distance);
  const byKeys = fitting.length > 0 && fitting.every(({ identity }) => identity.staticKeys);
  const standing = problems.filter(({ butStaticKeys = false }) => !(butStaticKeys && byKeys));
  return (
    <>
      <Problems problems={standing} tone="danger" />
      <Outcome {...{ fitting, near, done, own, group }} refused={standing.length > 0} rows={rows.length}>
        <ActionButton reason={refusal} onClick={() => onCreate(identityFor(token, platform))}>
          Create identity from this token
        </ActionButton>
      </Outcome>
      {fitting.length > 0 ? (
        <Section title="Matches" count={fitting.length}>
          {fitting.map((each) => (
            <ComparisonCard key={each.identity.uid} of={each} onEdit={onEdit} />
          ))}
        </Section>
      ) : null}
      {near.length > 0 ? (
        <Section
          title="Nearly matches"
          count={near.length}
          description={near.length > SHOWN ? `The ${SHOWN} nearest are shown.` : undefined}
        >
          {near.slice(0, SHOWN).map((each) => (
            <ComparisonCard key={each.identity.uid} of={each} onEdit={onEdit} />
          ))}
        </Section>
      ) : null}
    </>
  );
}

interface OutcomeProps {
  readonly fitting: readonly Comparison[];
  readonly near: readonly Comparison[];
  readonly done: boolean;
  readonly own: boolean;
  /** True if the token itself has a problem. */
  readonly refused: boolean;
  readonly rows: number;
  readonly group: string | undefined;
  /** What to do if nothing matches and an identity could. */
  readonly children: ReactNode;
}

/** Summarizes the result in a sentence. */
function Outcome({ fitting, near, done, own, refused, rows, group, children }: OutcomeProps): ReactNode {
  const unseen = useUnseen(identities.list, "identities", group);
  const [only, second] = fitting;
  const so_far = done ? "" : " so far";
  if (only && second)
    return (
      <Notice
        role="status"
        tone={refused ? "info" : "warning"}
        title={`${refused ? "It would match" : "It matches"} ${fitting.length} identities${so_far}`}
      >
        The bearer can do everything that any of them can do. If that isn't intended, make one of the rules
        stricter.
      </Notice>
    );
  if (only)
    return (
      <Notice
        role="status"
        tone={refused ? "info" : "success"}
        title={
          <>
            {refused ? "It would match" : "It matches"} <bdi>{only.identity.name}</bdi>
            {so_far}
          </>
        }
      >
        {refused
          ? "The identity accepts the token's claims, but the platform rejects the token itself."
          : "If its signature is valid, the platform accepts it as this identity. The signature isn't checked here."}
      </Notice>
    );
  if (!done) return null;
  const none = `None of ${rows.toLocaleString("en")} ${rows === 1 ? "identity matches" : "identities match"}`;
  return (
    <Notice
      role="status"
      tone="warning"
      title={rows === 0 ? "No identity here signs in with tokens" : none}
      actions={own ? null : children}
    >
      {own
        ? "This is a token of the platform's own sign-in. It belongs to the person who signed in, regardless of the identities here."
        : near.length > 0
          ? `${formatQuantity(near.length, "identity comes", "identities come")} close. See below what to change.`
          : `None comes close. The identity may be in another scope, hidden from you, or not created yet.${unseen === undefined ? "" : ` ${unseen}`}`}
    </Notice>
  );
}

const Problems = ({ problems, tone }: { problems: readonly Problem[]; tone: "danger" }): ReactNode =>
  problems.map(({ title, text }) => (
    <Notice key={title} tone={tone} title={title} role="status">
      {text}
    </Notice>
  ));

const wire = (claim: unknown): string | undefined => {
  const time = timeOf(claim);
  return time === undefined ? undefined : new Date(time).toISOString();
};

/** Shows the decoded token. */
function TokenFacts({ token }: { readonly token: Token }): ReactNode {
  const { issuer, subject, audiences, claims, algorithm, keyId } = token;
  return (
    <Section title="The token">
      <DefinitionList
        items={[
          { term: "Issuer (iss)", value: <Code value={issuer} what="issuer" />, wide: true },
          { term: "Subject (sub)", value: <Code value={subject} what="subject" />, wide: true },
          {
            term: "Audience (aud)",
            value: audiences.map((audience) => (
              <div key={audience}>
                <Code value={audience} what="audience" />
              </div>
            )),
            wide: true,
          },
          { term: "Issued", value: <Time value={wire(claims["iat"])} /> },
          { term: "Expires", value: <Time value={wire(claims["exp"])} /> },
          { term: "Signed with", value: <code>{algorithm}</code> },
          { term: "Key id", value: keyId && <code className={classes["wrap"]}>{keyId}</code> },
        ]}
      />
      <details>
        <summary>All claims</summary>
        <Document text={written(claims)} what="claims" />
      </details>
    </Section>
  );
}
