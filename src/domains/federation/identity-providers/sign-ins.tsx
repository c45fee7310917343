import { useInfiniteQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { infinite, rowsOf } from "~/api/queries/queries";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { useCan } from "~/frame/permissions/use-can";
import { identityLink } from "~/frame/record/identity-link";
import { HiddenLine } from "~/frame/scope/hidden-by-role";
import { scopeQuery } from "~/frame/scope/scope";
import { uidToParam } from "~/frame/scope/uid-param";
import { parentOf } from "platform-contract/aip";
import { listAuditEntries, type AuditEntry } from "platform-contract/audit/entries";
import { formatCount } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { shorten } from "~/ui/display/shorten";
import { Time } from "~/ui/display/time";
import { FailedPart } from "~/ui/feedback/failed-part";
import { AppLink } from "~/ui/layout/link";

import classes from "./styles.module.css";

const ACTION = "signIn.provider";
/** Newest sign-ins that are read, through any provider of the folder: the log has no filter by provider. */
const READ = 100;
const SHOWN = 5;

interface SignInsProps {
  /** uid */
  readonly provider: string;
}

/** Nothing with a service that has no audit log. */
export function SignIns({ provider }: SignInsProps): ReactNode {
  const config = useRouteContext({ strict: false, select: (context) => context.config });
  return config?.auditLog === true ? <SignInsOf provider={provider} /> : null;
}

/** The newest sign-ins through a provider and the newest that failed, where the user can read the audit log. */
export function SignInsOf({ provider }: SignInsProps): ReactNode {
  const group = parentOf(provider);
  const { allowed, capability } = useCan(listAuditEntries, group);
  const known = useCurrentUser().state !== "loading";
  const { data, error, refetch } = useInfiniteQuery({
    ...infinite(listAuditEntries, {
      ...scopeQuery({ group, reach: "below" }),
      action: ACTION,
      page_size: READ,
    }),
    enabled: allowed && known,
  });
  const { rows } = rowsOf(data);
  const through = rows.filter(
    ({ actor, record }) => actor?.provider === provider || record?.uid === provider,
  );
  const failed = through.filter(({ outcome }) => outcome !== "OUTCOME_DONE");
  const done = through.filter((entry) => !failed.includes(entry));
  const whole = data?.pages.at(-1)?.nextPageToken === undefined;
  return (
    <Section
      title="Sign-ins"
      actions={
        allowed ? (
          <AppLink target={{ to: "/audit-log", search: { group: uidToParam(group), action: ACTION } }}>
            Show in audit log
          </AppLink>
        ) : null
      }
    >
      {!allowed ? (
        <HiddenLine capability={capability} />
      ) : error && !data ? (
        <FailedPart title="Sign-ins couldn't be loaded" error={error} onRetry={refetch} />
      ) : !data ? (
        <p className={classes["quiet"]}>Loading…</p>
      ) : (
        <>
          <Entries
            title="Last sign-ins"
            entries={done}
            none="Nobody has signed in through it"
            whole={whole}
          />
          <Entries
            title="Last failures"
            entries={failed}
            none="No failed sign-ins through it"
            whole={whole}
          />
        </>
      )}
    </Section>
  );
}

interface EntriesProps {
  readonly title: string;
  readonly entries: readonly AuditEntry[];
  readonly none: string;
  /** False if there are older sign-ins, which weren't read. */
  readonly whole: boolean;
}

const Entries = ({ title, entries, none, whole }: EntriesProps): ReactNode =>
  entries.length === 0 ? (
    <p className={classes["quiet"]}>
      {none}
      {whole
        ? ", according to the audit log."
        : `, among the newest ${formatCount(READ)} sign-ins through the providers here.`}
    </p>
  ) : (
    <>
      <h3 className={classes["subtitle"]}>{title}</h3>
      <ul className={classes["signIns"]}>
        {entries.slice(0, SHOWN).map(({ uid, actor, reason, createTime }) => (
          <li key={uid}>
            {actor?.uid === undefined ? null : (
              <>
                <AppLink target={identityLink(actor.uid)}>
                  <bdi>{actor.name ?? shorten(actor.uid)}</bdi>
                </AppLink>{" "}
              </>
            )}
            <AppLink target={{ to: "/audit-log/$uid", params: { uid: uidToParam(uid) } }}>
              <Time value={createTime} />
            </AppLink>
            {reason === undefined || reason === "PROVIDER_FAILED" ? null : <> ({reason})</>}
          </li>
        ))}
      </ul>
    </>
  );
