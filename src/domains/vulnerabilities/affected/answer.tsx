import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { SearchIcon } from "lucide-react";
import type { ReactNode } from "react";

import { rowsOf } from "~/api/queries/queries";
import {
  ExploitedBadge,
  exploitationText,
  worstExploitation,
} from "~/domains/vulnerabilities/advisories/exploitation";
import { HoldingTags } from "~/domains/vulnerabilities/advisories/holding-tags";
import { buildOf, itemText, type PastedItem } from "~/domains/vulnerabilities/advisories/pasted/item";
import {
  holdingQuery,
  tagsHereQuery,
  useUntold,
  type HeldPackage,
  type Sought,
  type TagsHere,
} from "~/domains/vulnerabilities/advisories/tags-here";
import { STATUSES, STATUS_WORDS, type Status } from "~/domains/vulnerabilities/advisories/verdict";
import type { Scope } from "~/frame/scope/scope";
import { capitalize } from "~/ui/display/capitalize";
import { Section } from "~/ui/display/section";
import { exactTime } from "~/ui/display/time-text";
import { Empty } from "~/ui/feedback/empty";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { StaleNotice } from "~/ui/feedback/stale-notice";

import {
  answerQuery,
  containedIn,
  heldBy,
  ofPackage,
  soughtBy,
  type AffectedAnswer as Answered,
} from "./data";
import { More } from "./more";
import { StatusTable } from "./status-table";
import classes from "./styles.module.css";
import {
  alikeIn,
  detectedIn,
  judge,
  noAdvisory,
  scannerFixText,
  summarize,
  summarizeVersion,
} from "./summary";

interface AnswerProps {
  readonly item: PastedItem;
  readonly scope: Scope;
  /** Why advisories can be hidden; undefined if they can't. */
  readonly hidden: string | undefined;
}

/** Whether what is asked about affects anything in the scope. */
export function Answer({ item, scope, hidden }: AnswerProps): ReactNode {
  const client = useQueryClient();
  const { why: untold } = useUntold(scope.group);
  const { data, error, dataUpdatedAt, refetch } = useQuery(answerQuery(scope, item, untold, client));
  const about = itemText(item);
  if (!data)
    return error ? (
      <FailedPart title={`Advisories about ${about} couldn't be loaded`} error={error} onRetry={refetch} />
    ) : (
      <p className={classes["quiet"]} role="status">
        Looking for {about}…
      </p>
    );
  const own = ofPackage(item, data);
  const sought = soughtBy(item, data);
  const named = heldBy(item, data);
  const detected = detectedIn(judge(own).get("under_investigation") ?? []);
  // An id names no package: what it was detected in stands for it, if that is one version.
  const held = named ?? (item.version === undefined && detected.length === 1 ? detected[0] : undefined);
  return (
    <>
      {error ? <StaleNotice error={error} since={dataUpdatedAt} onRetry={refetch} /> : null}
      {own.length === 0 ? (
        <Unknown item={item} answer={data} hidden={hidden} />
      ) : (
        <Verdicts
          item={item}
          answer={{ ...data, advisories: own }}
          contained={containedIn(item, data)}
          sought={sought}
          detected={detected.length === 1 ? detected[0] : undefined}
          group={scope.group}
          hidden={hidden}
        />
      )}
      {item.fixed === undefined ? null : <p>{scannerFixText(item.fixed, own, hidden)}</p>}
      <HoldingTags sought={sought} held={held} type={item.type} group={scope.group} hidden={hidden} />
      <p className={classes["quiet"]}>
        As of {exactTime(new Date(dataUpdatedAt))}.{hidden === undefined ? null : ` ${capitalize(hidden)}.`}
      </p>
      {data.id === undefined ? null : (
        <More id={data.id} group={scope.group} answer={{ ...data, advisories: own }} />
      )}
    </>
  );
}

/** Distinguishes unknown from "not affected". Only an id alone is answered with "no advisory here". */
function Unknown({
  item,
  answer,
  hidden,
}: {
  readonly item: PastedItem;
  readonly answer: Answered;
  readonly hidden: string | undefined;
}): ReactNode {
  const { id, name, word } = item;
  const buildsOf = [
    ...new Set(
      answer.advisories.flatMap(({ artifactArchitecture, appliesTo }) => [artifactArchitecture, appliesTo]),
    ),
  ].filter(Boolean);
  const others = [...new Set(answer.advisories.flatMap(({ artifactName }) => artifactName ?? []))];
  const package_ = itemText({ ...item, id: undefined, word: undefined, name: name ?? word });
  const title =
    id !== undefined && name === undefined
      ? hidden === undefined
        ? `No advisory here mentions ${id}`
        : `Unknown: ${noAdvisory(hidden)} mentions ${id}`
      : id === undefined
        ? `Unknown: ${noAdvisory(hidden)} is about ${package_}`
        : `Unknown whether ${package_} is affected by ${id}`;
  return (
    <Empty icon={<SearchIcon size={24} />} title={title}>
      <p>
        {others.length > 0 && id === undefined
          ? `The advisories about ${name} are for ${buildsOf.slice(0, 5).join(", ") || "packages of other types"}.`
          : others.length > 0
            ? `The advisories about ${id} name ${others.slice(0, 5).join(", ")}. Advisories often name the source package.`
            : `This doesn't mean you aren't affected, only that ${noAdvisory(hidden)} is about it.`}{" "}
        Check the {id === undefined ? "name" : "id"} and the scope.
        {hidden === undefined ? null : ` ${capitalize(hidden)}.`}
      </p>
    </Empty>
  );
}

const UNREAD = { tone: "warning", title: "Unknown: there are more advisories than were read" } as const;

/** Of a version, the rows say whether it is affected: these are the advisories' own states. */
const SAYING: Readonly<Record<Status, string>> = {
  affected: "Advisories without a fix",
  under_investigation: "Advisories under investigation",
  fixed: "Advisories with a fix",
  not_affected: "Advisories that say not affected",
};

interface VerdictsProps {
  readonly item: PastedItem;
  readonly answer: Answered;
  /** The name that is asked about, if the advisories are about what contains it. */
  readonly contained: string | undefined;
  /** The one version in which it was detected; undefined if that are several. */
  readonly detected: HeldPackage | undefined;
  /** The advisories whose packages are looked for in images. */
  readonly sought: Sought | undefined;
  readonly group: string | undefined;
  readonly hidden: string | undefined;
}

/** What is known of the tags here; undefined while it is read. */
function useTagsHere(sought: Sought | undefined, group: string | undefined): TagsHere | undefined {
  const client = useQueryClient();
  const { why } = useUntold(group);
  const isAsked = sought !== undefined && why === undefined;
  const { data, error } = useQuery({ ...tagsHereQuery(sought ?? {}, group, client), enabled: isAsked });
  if (!isAsked) return { why: why ?? "there are too many advisories to compare with images at once" };
  return data ?? (error ? { why: "the tags couldn't be checked" } : undefined);
}

const CHECKING = { tone: "info", title: "Checking tags…", text: "" } as const;

/** How many of the undecided tags hold a package; undefined if none is named, or until that is known. */
function useUndecidedWith(
  held: HeldPackage | undefined,
  sought: Sought | undefined,
  group: string | undefined,
): number | undefined {
  const { why } = useUntold(group);
  const isAsked = held !== undefined && sought !== undefined && why === undefined;
  const { data } = useInfiniteQuery({
    ...holdingQuery({ ...sought, ...held }, group, "undecided"),
    enabled: isAsked,
  });
  if (!isAsked || !data) return undefined;
  const { rows, total } = rowsOf(data);
  return Number(total ?? rows.length);
}

function Verdicts({ item, answer, contained, detected, sought, group, hidden }: VerdictsProps): ReactNode {
  const { id, name } = item;
  const version = contained === undefined ? item.version : undefined;
  const { advisories: found, alsoCalled, partial, builtFrom = [], id: of } = answer;
  const judged = judge(found);
  const here = useTagsHere(version === undefined ? sought : undefined, group);
  const detectedTags = useUndecidedWith(version === undefined ? detected : undefined, sought, group);
  const said =
    version !== undefined
      ? summarizeVersion(version, judged, name !== undefined, hidden, buildOf(item))
      : here
        ? summarize({
            id: of === undefined ? undefined : (id ?? of),
            judged,
            here,
            hidden,
            build: buildOf(item),
            contained,
            version: item.version,
            detectedTags,
          })
        : CHECKING;
  // What was not read can be worse.
  const { tone, title, text } =
    partial && said.tone !== "danger" && said !== CHECKING ? { ...said, ...UNREAD } : said;
  const exploited = worstExploitation(found);
  return (
    <>
      <Notice tone={tone} title={title} role="status">
        {text}
        {builtFrom.length > 0 && found.some((one) => builtFrom.includes(one.artifactName ?? ""))
          ? ` ${name ?? item.word} is built from ${builtFrom.join(", ")}, which advisories name.`
          : null}
        {alsoCalled.length > 0 ? ` Also known as ${alsoCalled.join(", ")}.` : null}
      </Notice>
      {exploited ? (
        <p>
          <ExploitedBadge of={exploited} /> {exploitationText(exploited).join(" ")}
        </p>
      ) : null}
      {partial ? (
        <Notice tone="warning" title="Some advisories aren't included">
          There are too many for this page. Choose a smaller scope.
        </Notice>
      ) : null}
      {STATUSES.map((status) => {
        const some = alikeIn(judged.get(status) ?? []);
        return some.length === 0 ? null : (
          <Section
            key={status}
            title={version === undefined ? STATUS_WORDS[status] : SAYING[status]}
            count={some.length}
          >
            <StatusTable
              status={status}
              of={some}
              byId={answer.id === undefined}
              contains={contained !== undefined}
            />
          </Section>
        );
      })}
    </>
  );
}
