import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";

import { retryPolicyOf } from "~/api/paging/retry-policy";
import { actionWords, outcomeWords, recordWords } from "~/domains/audit/log/words";
import { isDone } from "~/domains/audit/log/who";
import { entryLink } from "~/domains/audit/log/queries";
import { groupNameOf, roleNameOf } from "~/domains/access/grants/bindings";
import { identityTab } from "~/domains/identities/identities/effective-access/links";
import { MayDo } from "~/domains/identities/identities/token-tester/may-do";
import { useJobOpen } from "~/frame/bulk-delete/use-job-open";
import { identityLink } from "~/frame/record/identity-link";
import { GroupLink } from "~/frame/scope/group-link";
import { isPerson } from "~/frame/scope/people";
import { recordLink } from "~/frame/scope/record-link";
import { useUnseen } from "~/frame/scope/use-sight";
import { parentOf } from "platform-contract/aip";
import { listAuditEntries } from "platform-contract/audit/entries";
import { useNow } from "~/ui/clock";
import "~/ui/controls/button-styles";
import { Badge } from "~/ui/display/badge";
import { capitalize } from "~/ui/display/capitalize";
import { Code } from "~/ui/display/code";
import { DefinitionList } from "~/ui/display/definition-list";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { ExactTimes, Time } from "~/ui/display/time";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";

import { wordsOf } from "./plan";
import { PlanSection } from "./plan-section";
import { readAnswer, type LeakAnswer, type Standing, type Whose } from "./read";
import { readLeak, type Leak } from "./read-leak";
import classes from "./styles.module.css";
import { loosened, type Covered } from "./survivors";

const namesOf = (whose: readonly Whose[]): string =>
  new Intl.ListFormat("en").format(whose.map(({ name }) => name));

/** Nothing of a token is in the key of a cache. */
const keys = new WeakMap<Leak, string>();
function keyOf(leak: Leak): string {
  const key = keys.get(leak) ?? crypto.randomUUID();
  keys.set(leak, key);
  return key;
}

interface AnswerProps {
  readonly leak: Leak;
  /** uid of the identity whose token it should be. */
  readonly expected: string | undefined;
}

/** Reads everything about a token, again after each job, and shows it. */
export function Answer({ leak, expected }: AnswerProps): ReactNode {
  const { config } = useRouteContext({ from: "__root__" });
  const client = useQueryClient();
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ["leaked-token", keyOf(leak)],
    queryFn: ({ signal }) => readAnswer(leak, { config, retryPolicy: retryPolicyOf(client), signal }),
    // A plan is about what was read: it changes only when a job has ended or the user reads again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const jobOpen = useJobOpen();
  const wasOpen = useRef(jobOpen);
  useEffect(() => {
    if (wasOpen.current && !jobOpen) void refetch();
    wasOpen.current = jobOpen;
  }, [jobOpen, refetch]);
  if (error)
    return (
      <FailedPart title="What the token did couldn't be read" error={error} onRetry={() => void refetch()} />
    );
  if (!data)
    return (
      <p role="status" className={classes["quiet"]}>
        Reading the audit log, and what is left of what it made…
      </p>
    );
  const { whose } = data;
  return (
    <ExactTimes value>
      <Reach leak={leak} answer={data} hasLog={config.auditLog} />
      {expected !== undefined && whose.length > 0 && !whose.some(({ uid }) => uid === expected) ? (
        <Notice tone="warning" title="It is of another identity than the one that you came from">
          The answer is about <bdi>{namesOf(whose)}</bdi>.
        </Notice>
      ) : null}
      <WhoseItIs leak={leak} answer={data} />
      {whose.length > 0 ? (
        <>
          <CanDo answer={data} />
          {config.auditLog ? (
            <>
              <Did
                answer={data}
                again={
                  <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
                    Look again
                  </Button>
                }
              />
              <Survivors survivors={data.survivors} />
            </>
          ) : null}
          <PlanSection answer={data} who={namesOf(whose)} />
        </>
      ) : null}
    </ExactTimes>
  );
}

interface PartProps {
  readonly leak: Leak;
  readonly answer: LeakAnswer;
}

/** The first line: what the answer covers. */
function Reach({ leak, answer, hasLog }: PartProps & { readonly hasLog: boolean }): ReactNode {
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
        {unsure === 0
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

const wire = (time: number | undefined): string | undefined =>
  time === undefined ? undefined : new Date(time).toISOString();

function WhoseItIs({ leak, answer: { whose } }: PartProps): ReactNode {
  const { token, jti, issued, ends } = leak;
  const now = useNow(60);
  const code = (value: string | undefined, what: string) =>
    value === undefined ? undefined : <Code value={value} what={what} />;
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
          { term: "ID (jti)", value: code(jti, "ID"), wide: true },
          { term: "Issued", value: <Time value={wire(issued)} /> },
          {
            term: "Ends",
            value:
              ends !== undefined && ends <= now ? (
                <>
                  <Time value={wire(ends)} /> (it has ended)
                </>
              ) : (
                <Time value={wire(ends)} />
              ),
          },
        ]}
      />
    </Section>
  );
}

/** What the roles of its identities let it do. */
function CanDo({ answer: { whose, bindings } }: { readonly answer: LeakAnswer }): ReactNode {
  const known = whose.flatMap(({ record }) => (record ? [record] : []));
  if (known.length === 0) return null;
  return (
    <Section
      title="What it can do now"
      description="Until it ends, by the roles of its identity. A token from an exchange may be limited further."
    >
      {known.map((record) => {
        const own = bindings.filter((one) => (one.identityUid ?? one.identity?.uid) === record.uid);
        return (
          <div key={record.uid} className={classes["can"]}>
            <h3>
              <AppLink target={identityTab(record.uid, "access")}>
                <bdi>{record.name}</bdi>
              </AppLink>
            </h3>
            {own.length === 0 ? (
              <p className={classes["quiet"]}>It has no role that you can see.</p>
            ) : (
              <ul className={classes["list"]}>
                {own.map((binding) => (
                  <li key={binding.uid}>
                    <bdi>{roleNameOf(binding)}</bdi> in <bdi>{groupNameOf(binding)}</bdi> and below
                  </li>
                ))}
              </ul>
            )}
            <MayDo identity={record} />
          </div>
        );
      })}
    </Section>
  );
}

/** Entries that are shown at first. */
const SHOWN = 20;

interface DidProps {
  readonly answer: LeakAnswer;
  readonly again: ReactNode;
}

function Did({ answer, again }: DidProps): ReactNode {
  const { covered, more, pulls } = answer;
  const [all, setAll] = useState(false);
  const unseen = useUnseen(listAuditEntries, "entries", undefined);
  const rails = useMemo(() => loosened(covered), [covered]);
  const shown = all ? covered : covered.slice(0, SHOWN);
  return (
    <Section
      title="What it did"
      count={more ? undefined : covered.length}
      description={unseen}
      actions={again}
    >
      {rails.length > 0 ? (
        <Notice tone="warning" title="It changed or removed guard rails">
          {rails.map((entry) => (
            <div key={entry.uid}>
              <AppLink target={entryLink(entry.uid)}>{actionWords(entry)}</AppLink>: {recordWords(entry)}
            </div>
          ))}
        </Notice>
      ) : null}
      {covered.length === 0 ? (
        <p className={classes["quiet"]}>No writes that you can see.</p>
      ) : (
        <FactTable
          caption="What it did"
          stacks
          head={["What", "With this token", "Time"]}
          rows={shown.map((one) => rowOf(one))}
        />
      )}
      {covered.length > shown.length ? (
        <div>
          <Button variant="default" onClick={() => setAll(true)}>
            Show all {formatCount(covered.length)}
          </Button>
        </div>
      ) : null}
      <p className={classes["quiet"]}>
        The log has writes and refused writes. What was only read is not in it.{" "}
        {pulls === undefined ? "Pulls aren't counted by this service: they are unknown." : null}
        {pulls?.map(({ identity, downloads, repos, countedSince }) => (
          <span key={identity}>
            {countedSince === undefined ? (
              "Pulls aren't counted: they are unknown."
            ) : downloads === 0 ? (
              "No pulls that you can see since that day, with any of its tokens."
            ) : (
              <>
                {formatQuantity(downloads, "pull", "pulls")} from {formatQuantity(repos, "repo", "repos")}{" "}
                since that day, with any of its tokens.
              </>
            )}{" "}
          </span>
        ))}
      </p>
    </Section>
  );
}

function rowOf({ entry, sure, via }: Covered): ReactNode[] {
  const what = recordWords(entry);
  return [
    <span key={entry.uid}>
      <AppLink target={entryLink(entry.uid)}>{actionWords(entry)}</AppLink>
      {what === "" ? null : (
        <>
          {" "}
          <bdi>{what}</bdi>
        </>
      )}
      {isDone(entry) ? null : ` (${outcomeWords(entry.outcome).word.toLowerCase()})`}
    </span>,
    via === undefined ? (
      sure ? (
        "Yes"
      ) : (
        <Badge key="sure" tone="warning">
          Perhaps
        </Badge>
      )
    ) : (
      <bdi key="via">{capitalize(via)}</bdi>
    ),
    <Time key="when" value={entry.createTime} />,
  ];
}

const STANDINGS: Readonly<Record<Standing, readonly [string, "danger" | "warning" | "neutral"]>> = {
  there: ["Still there", "danger"],
  changed: ["Changed since by someone else", "warning"],
  gone: ["Gone", "neutral"],
  ended: ["Ended", "neutral"],
  hidden: ["Unknown: hidden by your role", "warning"],
  unknown: ["Unknown: it couldn't be read", "warning"],
};

/** What it made that goes on when it ends. */
function Survivors({ survivors }: Pick<LeakAnswer, "survivors">): ReactNode {
  const unseen = useUnseen(listAuditEntries, "entries", undefined);
  const unnamed = survivors.reduce((sum, one) => sum + one.unnamed, 0);
  const left = survivors.filter(({ standing }) => standing !== "gone" && standing !== "ended");
  return (
    <Section
      title="What outlives it"
      count={left.length}
      description="Ways in that it made or changed, which stay when the token ends."
    >
      {unnamed > 0 ? (
        <Notice tone="warning" title="There is more than the log names">
          It changed {formatQuantity(unnamed, "more record", "more records")} in operations on many at once,
          of which the log keeps the first hundred. Look at the lists themselves.
        </Notice>
      ) : null}
      {survivors.length === 0 ? (
        <p className={classes["quiet"]}>None that you can see. {unseen}</p>
      ) : (
        <FactTable
          caption="What outlives it"
          stacks
          head={["What", "Where", "Now", "Made"]}
          rows={survivors.map((one) => {
            const { collection, uid, change, standing, entry, via } = one;
            const isProvider = collection === "scimTokens";
            const kind = isProvider
              ? "identityProviders"
              : collection === "machineOwners"
                ? "identities"
                : collection;
            const link = standing === "gone" ? undefined : recordLink({ kind, uid });
            const [word, tone] = STANDINGS[standing];
            const words = <bdi>{wordsOf(one)}</bdi>;
            const above = collection === "externalGroupRoleMappings" ? parentOf(uid) : uid;
            const group = collection === "accountAssociations" ? uid : parentOf(above);
            return [
              <span key={`${collection} ${uid}`}>
                {link ? <AppLink target={link}>{words}</AppLink> : words}
              </span>,
              group === "" ? undefined : <GroupLink key="where" uid={group} />,
              <Badge key="now" tone={tone}>
                {word}
              </Badge>,
              <span key="made">
                {change === "created" ? "Made" : "Changed"}{" "}
                <AppLink target={entryLink(entry.uid)}>
                  <Time value={entry.createTime} />
                </AppLink>
                {via === undefined ? null : (
                  <>
                    {" "}
                    <bdi>{via}</bdi>
                  </>
                )}
              </span>,
            ];
          })}
        />
      )}
    </Section>
  );
}

interface ReadProps {
  readonly text: string;
  /** An ID that the user wants to be looked for. */
  readonly byId: Leak | undefined;
  readonly onId: (leak: Leak) => void;
  readonly expected: string | undefined;
}

/** Reads what was pasted, and shows the answer or why there is none. */
export function Read({ text, byId, onId: setById, expected }: ReadProps): ReactNode {
  const { config } = useRouteContext({ from: "__root__" });
  const reading = useMemo(() => readLeak(text, config), [text, config]);
  const leak = reading?.is === "leak" ? reading.leak : byId;
  return (
    <>
      {reading?.is === "unreadable" ? (
        <Notice tone="danger" role="status" title={reading.title}>
          {reading.text}
        </Notice>
      ) : null}
      {reading?.is === "id" && !byId ? (
        <Notice
          title="This is no token and no claims"
          role="status"
          actions={
            <Button
              variant="default"
              onClick={() =>
                setById({
                  jti: reading.jti,
                  token: undefined,
                  exchangedFor: undefined,
                  issued: undefined,
                  ends: undefined,
                })
              }
            >
              Look for a token with this ID
            </Button>
          }
        >
          If it is the ID of a token (its jti claim), the audit log can be searched for it. That sends the ID
          to the service, so don&apos;t do it with a secret.
        </Notice>
      ) : null}
      {leak ? <Answer key={keyOf(leak)} leak={leak} expected={expected} /> : null}
    </>
  );
}
