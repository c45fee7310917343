import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { parentOf, rootOf } from "platform-contract/aip";
import type { AuditEntry } from "platform-contract/audit/entries";
import { Actor } from "~/domains/audit/log/actor";
import { Changes } from "~/domains/audit/log/changes";
import { UndoSection } from "~/domains/audit/log/undo-section";
import { useHasAuditLog } from "~/domains/audit/log/use-audit-log";
import { isImport } from "~/domains/audit/log/who";
import {
  actionWords,
  nameIn,
  nounOf,
  outcomeWords,
  reasonWords,
  recordWords,
  shownChanges,
  transportWords,
  type AuditRecord,
} from "~/domains/audit/log/words";
import { placeFact } from "~/frame/scope/group-link";
import { recordLink } from "~/frame/scope/record-link";
import { RecordScreen } from "~/frame/record/record-screen";
import { Badge } from "~/ui/display/badge";
import { Code } from "~/ui/display/code";
import { DefinitionList, type Definition } from "~/ui/display/definition-list";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { uidToParam } from "~/frame/scope/uid-param";
import { AppLink } from "~/ui/layout/link";

import { Outcome, RecordOf } from "./columns";
import { auditScreens } from "./data";
import { linksOf } from "./list";
import { NoAuditLog } from "./no-audit-log";
import classes from "./styles.module.css";

/** Shows one entry: who did what, from where, and what it changed. */
export function AuditEntryPage(): ReactNode {
  if (!useHasAuditLog()) return <NoAuditLog />;
  return (
    <RecordScreen of={auditScreens} badges={badgeOf} actions={linksOf}>
      {(entry) => (
        <>
          <DefinitionList items={factsOf(entry)} />
          <Difference entry={entry} />
          <Related entry={entry} />
          <UndoSection entry={entry} />
          <Section title="Request">
            <DefinitionList items={requestFacts(entry)} />
          </Section>
          <Section
            title="Chain"
            description="Each entry carries the hash of the one before it in its organization."
          >
            <DefinitionList items={chainFacts(entry)} />
          </Section>
        </>
      )}
    </RecordScreen>
  );
}

const badgeOf = ({ outcome }: AuditEntry): ReactNode => {
  const { word, tone } = outcomeWords(outcome);
  return tone === "success" ? null : <Badge tone={tone}>{word}</Badge>;
};

const factsOf = (entry: AuditEntry): Definition[] => {
  const { uid, createTime, actor, justification } = entry;
  const reason = reasonWords(entry);
  const [, more] = linksOf(entry);
  const [others] = linksOf(entry);
  return [
    { term: "Action", value: actionWords(entry) },
    {
      term: "Outcome",
      value: reason ? (
        <>
          {outcomeWords(entry.outcome).word}: {reason.charAt(0).toLowerCase() + reason.slice(1)}
        </>
      ) : (
        <Outcome of={entry} />
      ),
    },
    {
      term: "Actor",
      value: (
        <span className={classes["linked"]}>
          <Actor of={entry} />
          {actor?.uid && others?.link ? <AppLink target={others.link}>Other entries</AppLink> : null}
        </span>
      ),
    },
    {
      term: "Record",
      value: recordWords(entry) && (
        <span className={classes["linked"]}>
          <RecordOf entry={entry} />
          {more?.link ? <AppLink target={more.link}>Other entries</AppLink> : null}
        </span>
      ),
    },
    ...(justification ? [{ term: "Reason", value: <bdi>{justification}</bdi>, wide: true }] : []),
    ...guardRailFacts(entry),
    placeFact(parentOf(uid)),
    {
      term: "Time",
      value: (
        <span className={classes["linked"]}>
          <Time value={createTime} />
          <Before of={entry} />
        </span>
      ),
    },
  ];
};

/** Leads to the console as it was just before, by another page: the address of this one names another moment, or none. */
function Before({ of: { uid, createTime } }: { readonly of: AuditEntry }): ReactNode {
  const { config } = useRouteContext({ from: "__root__" });
  const time = Date.parse(createTime ?? "");
  if (!config.readTime || Number.isNaN(time)) return null;
  const asOf = new Date(time - 1).toISOString();
  return <a href={`?${new URLSearchParams({ group: rootOf(uid), asOf })}`}>The console just before</a>;
}

const EFFECTS: Readonly<Record<string, string>> = {
  GUARD_RAIL_EFFECT_REFUSED: "Refused it",
  GUARD_RAIL_EFFECT_LEFT_OUT: "Left a role out",
  GUARD_RAIL_EFFECT_WARNED: "Broken, but done",
};

/** The guard rails that it broke, as they were then. */
const guardRailFacts = (entry: AuditEntry): Definition[] =>
  (entry.guardRails ?? []).length === 0
    ? []
    : [
        {
          term: "Guard rails",
          wide: true,
          value: (
            <ul className={classes["rails"]}>
              {entry.guardRails?.map(({ guardRail, sentence, effect = "", identity, role }, index) => {
                const link = recordLink({ kind: "guardRails", uid: guardRail });
                return (
                  <li key={index}>
                    {EFFECTS[effect] ?? effect}
                    {identity && role ? (
                      <>
                        {" "}
                        (<bdi>{nameIn(entry, role)}</bdi> for <bdi>{nameIn(entry, identity)}</bdi>)
                      </>
                    ) : null}
                    : {link ? <AppLink target={link}>{sentence}</AppLink> : sentence}
                  </li>
                );
              })}
            </ul>
          ),
        },
      ];

const TITLES: Readonly<Record<string, string>> = { created: "Created with", deleted: "What it was" };

function Difference({ entry }: { readonly entry: AuditEntry }): ReactNode {
  const { record, change } = entry;
  const changes = shownChanges(record, change, entry.changes);
  if (changes.length === 0) return null;
  const title = change === undefined ? "Details" : (TITLES[change] ?? "What changed");
  return (
    <Section title={title} count={changes.length}>
      <Changes entry={entry} changes={changes} change={change} label={title} />
    </Section>
  );
}

const VERBS: Readonly<Record<string, string>> = {
  created: "Created",
  updated: "Updated",
  deleted: "Deleted",
};

function Related({ entry }: { readonly entry: AuditEntry }): ReactNode {
  const { related = [], relatedCount = related.length } = entry;
  if (!relatedCount) return null;
  return (
    <Section
      title={isImport(entry) ? "Also imported" : "Also changed"}
      count={relatedCount}
      description={
        relatedCount > related.length
          ? related.length > 0
            ? `The log keeps the first ${related.length}.`
            : `The log keeps their number: what is in this ${nounOf(entry.record?.kind)}.`
          : undefined
      }
    >
      {related.map(({ record, change, ...rest }) => {
        const changes = shownChanges(record, change, rest.changes);
        const title = `${VERBS[change] ?? change}: ${relatedWords(entry, record)}`;
        return (
          <details key={`${record.kind} ${record.uid}`} className={classes["related"]}>
            <summary>
              <bdi>{title}</bdi>
            </summary>
            {changes.length > 0 ? (
              <Changes entry={entry} changes={changes} change={change} label={title} />
            ) : (
              <p className={classes["quiet"]}>No fields.</p>
            )}
          </details>
        );
      })}
    </Section>
  );
}

const relatedWords = (entry: AuditEntry, record: AuditRecord): string =>
  recordWords({ ...entry, action: "", relatedCount: undefined }, record);

const requestFacts = (entry: AuditEntry): Definition[] => {
  const { actor, request } = entry;
  const code = (term: string, value: string | undefined, wide = true): Definition => ({
    term,
    value: value && <Code value={value} what={term.toLowerCase()} />,
    wide,
  });
  return [
    code("Request ID", request?.id),
    { term: "Transport", value: transportWords(request?.transport) },
    code("Address", request?.address, false),
    { term: "User agent", value: request?.userAgent && <bdi>{request.userAgent}</bdi>, wide: true },
    code("Issuer", actor?.issuer),
    code("Subject", actor?.subject),
    ...(actor?.client ? [code("Client", actor.client, false)] : []),
    ...(actor?.jti ? [code("Token ID", actor.jti)] : []),
    ...(actor?.provider
      ? [
          {
            term: "Signed in with",
            value: (
              <AppLink
                target={{ to: "/identity-providers/$uid", params: { uid: uidToParam(actor.provider) } }}
              >
                <bdi>{nameIn(entry, actor.provider)}</bdi>
              </AppLink>
            ),
          },
        ]
      : []),
  ];
};

const chainFacts = ({ sequence, hash, previousHash }: AuditEntry): Definition[] => [
  { term: "Number", value: sequence === undefined ? undefined : String(sequence) },
  { term: "Hash", value: hash && <Code value={hash} what="hash" />, wide: true },
  {
    term: "Hash before",
    value: previousHash && <Code value={previousHash} what="hash before" />,
    wide: true,
  },
];
