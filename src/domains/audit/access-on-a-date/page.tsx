import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useRefusedAt } from "~/frame/permissions/use-can";
import { getAuditAccess, type HeldRole } from "platform-contract/audit/access";
import { useHasAuditLog } from "~/domains/audit/log/use-audit-log";
import { fileName } from "~/frame/export/export-file";
import { useScreenList } from "~/frame/request-inspector/record-actions";
import { useChosenGroup } from "~/frame/scope/chosen-group";
import { useGroup } from "~/frame/scope/group-ancestry";
import { ChooseGroup } from "~/frame/scope/choose-group";
import { HiddenByRole } from "~/frame/scope/hidden-by-role";
import { useTitle } from "~/frame/scope/title";
import { useCleanAddress } from "~/frame/clean-address";
import { iconOf } from "~/frame/kind-icons";
import { useView } from "~/frame/use-view";
import { readPaths } from "~/domains/access/grants/read-paths";
import { useIdentities } from "~/domains/access/grants/use-identities";
import { useNow } from "~/ui/clock";
import { FilterSelect, FilterText } from "~/ui/controls/filters";
import { saveAs } from "~/ui/display/save-as";
import { Section } from "~/ui/display/section";
import { exactTime } from "~/ui/display/time-text";
import { shorten } from "~/ui/display/shorten";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { Page, PageHeader } from "~/ui/layout/page";
import { ActionMenu } from "~/ui/overlay/menu";

import {
  accessQuery,
  identityIn,
  inOrder,
  momentOf,
  onOf,
  readAccessSearch,
  type About,
  type AccessSearch,
  type Moment,
} from "./data";
import { accessCsv, accessJson, type AccessAnswer } from "./file";
import { ALWAYS, BELOW_ONLY, gapsOf, logBegin, summaryOf } from "./notes";
import { AccessTable } from "./table";
import { ActorFilter } from "../audit-log/filter-controls";
import { NoAuditLog } from "../audit-log/no-audit-log";
import { useProof } from "../proof/use-proof";
import classes from "./styles.module.css";

const TITLE = "Access on a date";

const BELOW = [
  { value: "", label: "included" },
  { value: "no", label: "left out" },
];

/** Who had which role on a day or at a moment, from the audit log: in the scope, or one identity. */
export const AccessPage = (): ReactNode => (useHasAuditLog() ? <Content /> : <NoAuditLog />);

function Content(): ReactNode {
  const search = useCleanAddress(readAccessSearch);
  const { show } = useView<AccessSearch & { drawer?: undefined }>();
  useTitle(TITLE);
  const { group, known } = useChosenGroup();
  const moment = momentOf(search.on, useNow(60));
  const identity = identityIn(search);
  const below = search.below !== "no";
  const about = identity === undefined ? (group === undefined ? undefined : { group, below }) : { identity };
  const set = (next: Moment) => show({ on: onOf(next) });
  const refused = useRefusedAt(getAuditAccess, [identity === undefined ? group : undefined]);
  if (refused)
    return (
      <Page>
        <PageHeader icon={iconOf("auditLog")} title={TITLE} />
        <HiddenByRole {...refused} />
      </Page>
    );
  return (
    <Page>
      <PageHeader
        icon={iconOf("auditLog")}
        title={TITLE}
        description="Who had which role, from the audit log."
      />
      <div className={classes["question"]}>
        <FilterText
          label="Date"
          type="date"
          value={moment.day}
          onApply={(day = "") => set({ ...moment, day })}
        />
        <FilterText
          label="Time (UTC)"
          type="time"
          value={moment.clock}
          onApply={(clock) => set({ ...moment, clock })}
        />
        <ActorFilter
          label="Identity"
          value={search.identity}
          group={group}
          onChange={(next) => show({ identity: next })}
        />
        {identity === undefined ? (
          <FilterSelect
            label="Folders below"
            value={search.below}
            options={BELOW}
            onChange={(next) => show({ below: next === "no" ? next : undefined })}
          />
        ) : null}
      </div>
      {about ? (
        <Answered key={JSON.stringify(about)} about={about} moment={moment} />
      ) : known ? (
        <ChooseGroup>Choose an organization or folder, or an identity.</ChooseGroup>
      ) : null}
    </Page>
  );
}

/** What the answer is about, by name. */
function useName(about: About): string {
  const group = "group" in about ? about.group : undefined;
  const identity = "identity" in about ? about.identity : undefined;
  const { group: found } = useGroup(group);
  const { known } = useIdentities(identity === undefined ? [] : [identity]);
  const { email, name } = known.get(identity ?? "") ?? {};
  return found?.name || email || name || shorten(group ?? identity ?? "");
}

function Answered({ about, moment }: { readonly about: About; readonly moment: Moment }): ReactNode {
  const asked = accessQuery(moment, about);
  const { data, error, refetch } = useQuery(asked);
  useScreenList(asked.queryKey);
  const name = useName(about);
  if (error && !data)
    return <FailedPart title="The answer couldn't be loaded" error={error} onRetry={refetch} />;
  if (!data) return <p className={classes["quiet"]}>Loading…</p>;
  const held = inOrder(about, data.held ?? []);
  const { time } = asked.queryKey[2];
  const belowOnly = "group" in about && data.topGroup === undefined;
  if (belowOnly && held.length === 0 && !data.belowLeftOut)
    return (
      <HiddenByRole capability={getAuditAccess.access.needs[0]} group={about.group} place={about.group} />
    );
  const gaps = [...gapsOf(data, time), ...(belowOnly ? [BELOW_ONLY] : [])];
  const begin = logBegin(data, time);
  return (
    <Section
      title={"group" in about ? `Who had access to ${name}` : `Roles of ${name}`}
      {...(gaps.length === 0 && { count: held.length })}
      description={summaryOf({ about, name, moment }, data, time)}
      actions={
        <Files
          name={name}
          about={about}
          moment={moment}
          answer={data}
          held={held}
          notes={[...gaps, ALWAYS]}
        />
      }
    >
      {gaps.length > 0 ? (
        <Notice tone="warning" title="This may not be everything">
          {gaps.map((gap) => (
            <p key={gap}>{gap}</p>
          ))}
        </Notice>
      ) : null}
      {held.length > 0 ? (
        <AccessTable held={held} period={moment.clock === undefined} />
      ) : (
        <p className={classes["quiet"]}>
          {begin
            ? `Unknown before ${exactTime(begin)}, when the audit log begins.`
            : "group" in about
              ? `Nobody ${gaps.length > 0 ? "is known to have had a role" : "that you can see had a role"}.`
              : "No roles that you can see."}
        </p>
      )}
      <p className={classes["quiet"]}>{ALWAYS}</p>
    </Section>
  );
}

interface FilesProps {
  readonly name: string;
  readonly about: About;
  readonly moment: Moment;
  readonly answer: AccessAnswer;
  /** The roles of the answer, in order. */
  readonly held: readonly HeldRole[];
  readonly notes: readonly string[];
}

function Files({ name, about, moment, answer, held, notes }: FilesProps): ReactNode {
  const save = (extension: "csv" | "json", text: string, type: string) => {
    const scope = `${name} on ${onOf(moment)?.replaceAll(":", "-")}`;
    const facts = { list: "access", scope, partial: notes.length > 1, dated: true, now: new Date() };
    saveAs(fileName(facts, extension), text, type);
  };
  const saveCsv = async () => {
    // Without the names of folders the file still has their IDs.
    const paths = await readPaths(held.map(({ roleBinding: uid }) => ({ uid }))).catch(() => new Map());
    save("csv", accessCsv(held, paths, notes), "text/csv;charset=utf-8");
  };
  const { group } = useChosenGroup();
  const { time, until } = accessQuery(moment, about).queryKey[2];
  const proof = useProof({
    ask: { kind: "access", from: time, until, ...about },
    name: `${name} on ${onOf(moment)?.replaceAll(":", "-")}`,
    organization: "group" in about ? about.group : group,
  });
  return (
    <>
      <ActionMenu
        label="Download this answer"
        actions={() => [
          { label: "Download as CSV", onSelect: () => void saveCsv() },
          {
            label: "Download as JSON",
            onSelect: () =>
              save("json", accessJson({ ...about, on: onOf(moment) }, answer, notes), "application/json"),
          },
          ...proof.actions,
        ]}
      />
      {proof.dialog}
    </>
  );
}
