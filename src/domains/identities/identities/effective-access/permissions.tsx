import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import type { Identity } from "platform-contract/iam/identities";
import type { RoleBinding } from "platform-contract/iam/role-bindings";
import { placeWord } from "~/frame/scope/group-link";
import { OnADate } from "~/frame/record/history";
import { GroupLink } from "~/frame/scope/group-link";
import { HiddenByRole } from "~/frame/scope/hidden-by-role";
import { useView } from "~/frame/use-view";
import { capabilityWords, IDENTITY_CHOICES } from "~/domains/access/grants/capability-words";
import { groupNameOf, roleNameOf } from "~/domains/access/grants/bindings";
import { RoleEnd } from "~/domains/access/grants/role-end";
import { WithoutEffect } from "~/domains/access/grants/without-effect";
import { bindingPage } from "~/domains/access/grants/links";
import { ShowMore } from "~/ui/table/show-more";
import { FilterSelect } from "~/ui/controls/filters";
import { formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";

import type { GroupAccess, HeldCapability } from "./effective";
import type { EffectiveView } from "./links";
import { useAccessOf } from "./use-access-of";
import classes from "./styles.module.css";

interface WhatItCanDoProps {
  readonly identity: Identity;
  /** Shows only the groups where the identity has this capability. */
  readonly can: string | undefined;
}

/** Shows what an identity can do in each group, and which role bindings grant it. */
export function Permissions({ identity: { uid }, can }: WhatItCanDoProps): ReactNode {
  const home = parentOf(uid);
  const { show } = useView<EffectiveView & { drawer?: string }>();
  const { bindings, rows, access: all, sight, pending, error, retry, seesAll } = useAccessOf(uid);
  if (sight.state === "hidden")
    return <HiddenByRole capability={sight.capability} group={home || undefined} place={home || undefined} />;
  if (pending) return <p className={classes["quiet"]}>Loading…</p>;
  const shown = can === undefined ? all : all.filter(({ held }) => holds(held, can));
  return (
    <>
      <div className={classes["tools"]}>
        <FilterSelect
          label="Can"
          value={can}
          options={IDENTITY_CHOICES}
          onChange={(value) => show({ can: value })}
        />
        <OnADate about={{ identity: uid }} />
      </div>
      {seesAll === false ? <MayBeMore home={home} /> : null}
      <WithoutEffect bindings={rows} />
      {error ? <FailedPart title="Its access couldn't be loaded" error={error} onRetry={retry} /> : null}
      {shown.map((access) => (
        <AtGroup
          key={access.group}
          access={access}
          failed={error !== null}
          can={can}
          open={can !== undefined || all.length === 1}
        />
      ))}
      {shown.length === 0 && !error ? <p className={classes["quiet"]}>{noneWords(all, can)}</p> : null}
      <ShowMore query={bindings} />
    </>
  );
}

const holds = (held: readonly HeldCapability[], can: string): boolean =>
  held.some(({ capability }) => capability === can);

function noneWords(all: readonly GroupAccess[], can: string | undefined): string {
  if (can === undefined) return "No roles to show.";
  const needed = `It needs one that includes “${capabilityWords(can)}”.`;
  if (all.length === 0) return `It has no role that you can see. ${needed}`;
  return `None of its roles that you can see allows this. ${needed}`;
}

/** Notes that there may be roles the user can't see. */
function MayBeMore({ home }: { readonly home: string }): ReactNode {
  if (home === "")
    return (
      <Notice title="There may be more">
        A person can have roles in any organization. Only those in groups whose role bindings you can see are
        listed.
      </Notice>
    );
  return (
    <Notice title="There may be more">
      You don&apos;t have permission to view every role binding in <GroupLink uid={home} /> and below, or your
      roles couldn&apos;t be read. Only the ones you can see are listed.
    </Notice>
  );
}

interface AtGroupProps {
  readonly access: GroupAccess;
  /** True if reading its roles failed: what isn't known is not necessarily hidden. */
  readonly failed: boolean;
  readonly can: string | undefined;
  readonly open: boolean;
}

function AtGroup({ access: { group, held, bindings, unknown }, failed, can, open }: AtGroupProps): ReactNode {
  const lines = (can === undefined ? held : held.filter(({ capability }) => capability === can)).map(
    ({ capability, by }) => ({ capability, by, words: capabilityWords(capability) }),
  );
  const own = bindings.find(({ uid }) => parentOf(uid) === group);
  return (
    <Section
      title={own ? groupNameOf(own) : group}
      description={
        <>
          Here and below: {formatQuantity(held.length, "capability", "capabilities")} from{" "}
          {bindings.map((binding, index) => (
            <span key={binding.uid}>
              {index === 0 ? "" : ", "}
              <Why binding={binding} group={group} />
            </span>
          ))}
        </>
      }
    >
      {unknown.length > 0 ? (
        <p className={classes["quiet"]}>
          {unknown.length === 1 ? "One role" : `${unknown.length} roles`}{" "}
          {failed ? "couldn't be read" : "that you can't view"}:{" "}
          <bdi>{unknown.map(roleNameOf).join(", ")}</bdi>. {unknown.length === 1 ? "Its" : "Their"}{" "}
          capabilities aren't listed.
        </p>
      ) : null}
      {lines.length === 0 ? null : (
        <details key={`${open}`} open={open}>
          <summary>{formatQuantity(lines.length, "capability", "capabilities")}</summary>
          <table className={classes["table"]}>
            <thead>
              <tr>
                <th scope="col">Capability</th>
                <th scope="col">Why</th>
              </tr>
            </thead>
            <tbody>
              {lines
                .toSorted((a, b) => a.words.localeCompare(b.words, "en"))
                .map(({ capability, words, by }) => (
                  <tr key={capability}>
                    <th scope="row">{words}</th>
                    <td>
                      {by.map((binding) => (
                        <div key={binding.uid}>
                          <Why binding={binding} group={group} />
                        </div>
                      ))}
                    </td>
                  </tr>
                ))}
            </tbody>
          </table>
        </details>
      )}
    </Section>
  );
}

/** Names the role binding that grants access: "viewer, inherited from folder python". */
function Why({ binding, group }: { readonly binding: RoleBinding; readonly group: string }): ReactNode {
  return (
    <>
      <AppLink target={bindingPage(binding.uid)}>
        <bdi>{roleNameOf(binding)}</bdi>
      </AppLink>{" "}
      {parentOf(binding.uid) === group ? (
        "granted here"
      ) : (
        <>
          inherited from {placeWord(parentOf(binding.uid)).toLowerCase()} <bdi>{groupNameOf(binding)}</bdi>
        </>
      )}
      <RoleEnd of={binding} />
    </>
  );
}
