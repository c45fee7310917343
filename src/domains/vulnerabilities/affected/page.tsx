import { iconOf } from "~/frame/kind-icons";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { PrinterIcon, SearchIcon } from "lucide-react";
import { Fragment, type ReactNode } from "react";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { useCan } from "~/frame/permissions/use-can";
import { useTopGroups } from "~/frame/scope/top-groups";
import { ApiError } from "~/api/client/errors";
import { advisories } from "platform-contract/vulnerabilities/advisories";
import { Ask } from "~/domains/vulnerabilities/advisories/ask";
import { HoldingTags } from "~/domains/vulnerabilities/advisories/holding-tags";
import {
  tagsHereQuery,
  useUntold,
  type Sought,
  type TagsHere,
} from "~/domains/vulnerabilities/advisories/tags-here";
import {
  buildOf,
  itemLine,
  itemText,
  writeItem,
  type PastedItem,
} from "~/domains/vulnerabilities/advisories/pasted/item";
import { useSeenAdvisories, whyHidden, type SeenAdvisories } from "~/domains/vulnerabilities/advisories/seen";
import { affectedItems } from "~/domains/vulnerabilities/advisories/links";
import { STATUSES, STATUS_WORDS, type Status } from "~/domains/vulnerabilities/advisories/verdict";
import {
  ExploitedBadge,
  exploitationText,
  worstExploitation,
} from "~/domains/vulnerabilities/advisories/exploitation";
import { tagPage } from "~/domains/registry/references/repo-links";
import { useChosenGroup } from "~/frame/scope/chosen-group";
import { useGroup } from "~/frame/scope/group-ancestry";
import { useScope, type Scope } from "~/frame/scope/scope";
import { useTitle } from "~/frame/scope/title";
import { useCleanAddress } from "~/frame/clean-address";
import { NoAccessYet } from "~/frame/list/no-access-yet";
import "~/ui/controls/button-styles";
import { HiddenByRole } from "~/frame/scope/hidden-by-role";
import { capitalize } from "~/ui/display/capitalize";
import { Section } from "~/ui/display/section";
import { exactTime } from "~/ui/display/time-text";
import { Empty, NotFound } from "~/ui/feedback/empty";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { StaleNotice } from "~/ui/feedback/stale-notice";
import { AppLink } from "~/ui/layout/link";
import { Page, PageHeader } from "~/ui/layout/page";

import { Chips } from "./chips";
import {
  answerQuery,
  heldBy,
  itemsOf,
  ofPackage,
  readAffected,
  soughtBy,
  type AffectedAnswer as Answered,
} from "./data";
import "~/ui/layout/print.css";
import { More } from "./more";
import { imageQuery } from "./questions";
import {
  byArchitecture,
  detectedIn,
  judge,
  noAdvisory,
  scannerFixText,
  summarize,
  summarizeVersion,
} from "./summary";
import { StatusTable } from "./status-table";
import classes from "./styles.module.css";

/** Shows whether a vulnerability affects anything in the scope. The address identifies the result. */
export function Affected(): ReactNode {
  const search = useCleanAddress(readAffected);
  const { version } = search;
  const items = itemsOf(search);
  const item =
    items.find((one) => writeItem(one) === search.pick) ?? (items.length === 1 ? items[0] : undefined);
  const scope = useScope();
  const chosen = useChosenGroup().group;
  const { group, error } = useGroup(chosen);
  const missing = error instanceof ApiError && error.code === "NOT_FOUND";
  const { state } = useCurrentUser();
  const { allowed, capability } = useCan(advisories.list, scope.group);
  const { organizations, folders } = useTopGroups();
  const seen = useSeenAdvisories();
  const hidden = whyHidden(
    seen,
    scope.group === undefined ? [...organizations, ...folders].map(({ uid }) => uid) : [scope.group],
  );
  const title = titleOf(item);
  useTitle(title);
  const where = chosen === undefined ? "all groups you can see" : (group?.name ?? "this group");
  return (
    <Page>
      <PageHeader
        icon={iconOf("advisories")}
        title={title}
        description={
          <>
            In <bdi>{where}</bdi>
            {chosen !== undefined && scope.reach === "below" ? " and its subfolders" : ""}.
          </>
        }
        actions={
          items.length === 0 ? undefined : (
            <Button
              variant="default"
              className={classes["noPrint"] ?? ""}
              leftSection={<PrinterIcon size={16} />}
              onClick={() => window.print()}
            >
              Print
            </Button>
          )
        }
      />
      <Ask
        text={items.map((one) => (one.name === undefined && one.id ? one.id : itemLine(one))).join("\n")}
        version={items.length > 1 ? undefined : (version ?? "")}
        primary={items.length === 0}
      />
      {state === "nobody" ? (
        <NoAccessYet />
      ) : missing ? (
        <NotFound kind="group" sought={scope.group} />
      ) : !allowed ? (
        <HiddenByRole capability={capability} group={scope.group} place={scope.group} />
      ) : items.length === 0 ? (
        <p className={classes["quiet"]}>
          Paste an id, a package and its version, a package URL, an image, the address of an advisory, or what
          Grype, Trivy, Docker Scout, npm audit or OSV-Scanner wrote, as text or JSON.
        </p>
      ) : (
        <>
          {items.length > 1 ? (
            <Chips
              key={search.ask}
              items={items}
              of={Number(search.of ?? items.length)}
              search={search}
              scope={scope}
              hidden={hidden}
              seen={seen}
            />
          ) : null}
          {item === undefined ? null : item.image === undefined ? (
            <Answer key={`${writeItem(item)} ${scope.group}`} item={item} scope={scope} hidden={hidden} />
          ) : (
            <ImageAnswer key={item.image} image={item.image} seen={seen} />
          )}
        </>
      )}
    </Page>
  );
}

function titleOf(item: PastedItem | undefined): string {
  if (item === undefined) return "Are we affected?";
  const { id, name, version, image } = item;
  if (image !== undefined || (id === undefined && version !== undefined))
    return `Is ${itemText(item)} affected?`;
  return id !== undefined && name !== undefined
    ? `Is ${itemText({ ...item, id: undefined })} affected by ${id}?`
    : `Are we affected by ${id ?? itemText(item)}?`;
}

/** What is known of an image, with the page that has the details. */
function ImageAnswer({ image, seen }: { readonly image: string; readonly seen: SeenAdvisories }): ReactNode {
  const client = useQueryClient();
  const { registryHost } = useRouteContext({ from: "__root__" }).config;
  const { data, error, refetch } = useQuery(imageQuery(image, registryHost, seen, client));
  if (error && !data)
    return <FailedPart title={`${image} couldn't be looked up`} error={error} onRetry={refetch} />;
  if (!data)
    return (
      <p className={classes["quiet"]} role="status">
        Looking for <bdi>{image}</bdi>…
      </p>
    );
  return (
    <Notice
      tone={IMAGE_TONES[data.tone] ?? "info"}
      title={data.text}
      role="status"
      actions={
        data.tag === undefined ? null : (
          <AppLink target={{ ...tagPage(data.tag), search: { tab: "vulnerabilities" } }}>
            Open vulnerabilities
          </AppLink>
        )
      }
    >
      {data.namesakes && data.namesakes.length > 0 ? (
        <>
          Here is one of this name. To ask about it, write{" "}
          {data.namesakes.map(({ reference }, index) => (
            <Fragment key={reference}>
              {index > 0 ? " or " : ""}
              <AppLink target={affectedItems([{ image: reference }])}>
                <bdi>{reference}</bdi>
              </AppLink>
            </Fragment>
          ))}
          .
        </>
      ) : null}
    </Notice>
  );
}
const IMAGE_TONES: Readonly<Partial<Record<string, "danger" | "warning" | "success">>> = {
  danger: "danger",
  warning: "warning",
  success: "success",
};

interface AnswerProps {
  readonly item: PastedItem;
  readonly scope: Scope;
  /** Why advisories can be hidden; undefined if they can't. */
  readonly hidden: string | undefined;
}

function Answer({ item, scope, hidden }: AnswerProps): ReactNode {
  const { data, error, dataUpdatedAt, refetch } = useQuery(answerQuery(scope, item));
  const about = itemText(item);
  if (!data)
    return error ? (
      <FailedPart title={`Advisories about ${about} couldn't be loaded`} error={error} onRetry={refetch} />
    ) : (
      <p className={classes["quiet"]} role="status">
        Looking for {about}…
      </p>
    );
  const own = ofPackage(item, data.advisories);
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
          sought={sought}
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
        {others.length > 0
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
  if (!isAsked) return { why: why ?? "" };
  return data ?? (error ? { why: "the tags couldn't be checked" } : undefined);
}

const CHECKING = { tone: "info", title: "Checking tags…", text: "" } as const;

function Verdicts({ item, answer, sought, group, hidden }: VerdictsProps): ReactNode {
  const { id, name, version } = item;
  const { advisories: found, alsoCalled, partial, id: of } = answer;
  const judged = judge(found);
  const here = useTagsHere(version === undefined ? sought : undefined, group);
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
        const some = byArchitecture(judged.get(status) ?? []);
        return some.length === 0 ? null : (
          <Section
            key={status}
            title={version === undefined ? STATUS_WORDS[status] : SAYING[status]}
            count={some.length}
          >
            <StatusTable status={status} of={some} byId={answer.id === undefined} />
          </Section>
        );
      })}
    </>
  );
}
