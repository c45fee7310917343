import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore, type ReactNode } from "react";

import { createdRecords, createdVersion, subscribeCreated } from "~/api/bulk/creation-plan";
import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";
import type { GroupInvite } from "platform-contract/iam/group-invites";
import { kindOf } from "platform-contract/kinds";
import { startLater } from "~/frame/bulk-delete/start";
import { useJobOpen } from "~/frame/bulk-delete/use-job-open";
import { fileName } from "~/frame/export/export-file";
import { recordLink } from "~/frame/scope/record-link";
import { linkOf } from "~/domains/access/group-invites/data";
import "~/ui/controls/button-styles";
import { copyText } from "~/ui/display/copy-text";
import { CopyButton } from "~/ui/display/copy-button";
import { BYTE_ORDER_MARK, csvLine } from "~/ui/display/csv";
import { FactTable } from "~/ui/display/fact-table";
import { formatQuantity } from "~/ui/display/numbers";
import { saveAs } from "~/ui/display/save-as";
import { Section } from "~/ui/display/section";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import type { ImportKind } from "./kinds";
import classes from "./styles.module.css";

/** An item of the job. */
export interface Sent {
  readonly uid: string;
  readonly name: string;
  /** Further columns of the file with the outcome. */
  readonly told: Readonly<Record<string, string>>;
}

interface OutcomeProps {
  readonly kind: ImportKind;
  readonly where: string;
  readonly sent: readonly Sent[];
}

const outcomeName = (many: string, scope: string, partial: boolean): string =>
  fileName({ list: `imported ${many}`, scope, partial, now: new Date() }, "csv");

/** What the job created, with the links of invites, which nothing shows again. */
export function Outcome({ kind, where, sent }: OutcomeProps): ReactNode {
  const { resource, one, many } = kind;
  const { collection } = resource;
  const client = useQueryClient();
  const owner = ownerOf(usePerson());
  useSyncExternalStore(subscribeCreated, createdVersion);
  const jobOpen = useJobOpen();
  const records = createdRecords();
  const invites = collection === "groupInvites";
  const made = sent.flatMap((item) => {
    const record = records.get(item.uid);
    return record ? [{ ...item, record }] : [];
  });
  const linkFor = (record: object): string => {
    const { code }: Partial<GroupInvite> = record;
    return code === undefined ? "" : linkOf(code);
  };
  const lines = made
    .flatMap(({ name, record }) => (linkFor(record) ? [`${name} ${linkFor(record)}`] : []))
    .join("\n");
  const save = () => {
    const columns = Object.keys(sent[0]?.told ?? {});
    const rows = sent.map(({ uid, name, told }) => {
      const record = records.get(uid);
      return [
        name,
        record ? "Created" : "Not created",
        record?.uid ?? "",
        ...(invites ? [record ? linkFor(record) : ""] : []),
        ...columns.map((column) => told[column] ?? ""),
      ];
    });
    const text =
      BYTE_ORDER_MARK +
      [["name", "outcome", "uid", ...(invites ? ["link"] : []), ...columns], ...rows].map(csvLine).join("");
    saveAs(outcomeName(many, where, made.length < sent.length), text, "text/csv;charset=utf-8");
  };
  const revoke = () =>
    startLater(
      { client, owner },
      { action: "deletions", data: {}, words: { doing: "Revoking", done: "Revoked", one, many } },
      made.map(({ name, record }) => ({ uid: record.uid, name, collection })),
    );
  return (
    <Section
      title={`Created ${many}`}
      count={made.length}
      description={`${formatQuantity(made.length, one, many)} of ${sent.length} created.${made.length < sent.length ? " The panel below says why not the others." : ""}`}
      actions={
        <div className={classes["buttons"]}>
          <Button variant="default" onClick={save}>
            Download outcome
          </Button>
          {invites && made.length > 1 ? (
            <Button variant="default" onClick={() => void copyText(lines, "links")}>
              Copy all
            </Button>
          ) : null}
          {invites && made.length > 0 ? (
            <DisabledReason reason={jobOpen ? "Another job is still running" : undefined}>
              <Button color="danger" variant="light" onClick={revoke}>
                Revoke all {made.length}
              </Button>
            </DisabledReason>
          ) : null}
        </div>
      }
    >
      {invites && made.length > 0 ? (
        <Notice tone="warning" title="The links are shown only now">
          Copy them or download the outcome before you leave or reload this page. Send each link privately.
        </Notice>
      ) : null}
      {made.length > 0 ? (
        <FactTable
          caption={`Created ${many}`}
          stacks
          head={invites ? ["For", "Link"] : ["Name", "ID"]}
          rows={made.map(({ name, record }) => {
            const link = kindOf(collection)?.screens
              ? recordLink({ kind: collection, uid: record.uid })
              : undefined;
            return [
              link ? (
                <AppLink key="name" target={link}>
                  <bdi>{name}</bdi>
                </AppLink>
              ) : (
                <bdi key="name">{name}</bdi>
              ),
              invites ? (
                <span key="link" className={classes["link"]}>
                  <code className={classes["code"]}>
                    {linkFor(record) || "The link was lost. Re-issue the invite."}
                  </code>
                  {linkFor(record) ? (
                    <CopyButton value={linkFor(record)} what={`the link for ${name}`} />
                  ) : null}
                </span>
              ) : (
                <code key="uid" className={classes["code"]}>
                  {record.uid}
                </code>
              ),
            ];
          })}
        />
      ) : null}
    </Section>
  );
}
