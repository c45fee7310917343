import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { parentOf } from "platform-contract/aip";
import { identities } from "platform-contract/iam/identities";
import { GroupLink } from "~/frame/scope/group-link";
import { identityScreens } from "../data";
import { exchangeCommand } from "../exchange-files";
import { ActionButton } from "~/ui/controls/action-button";
import { Badge } from "~/ui/display/badge";
import { Dash } from "~/ui/display/dash";
import { Document } from "~/ui/display/json-document";
import { visible } from "~/ui/display/visible";
import { AppLink } from "~/ui/layout/link";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import type { TokenCheck, Comparison } from "./compare";
import { MayDo } from "./may-do";
import { segmentsOf, type Segment } from "./difference";
import classes from "./styles.module.css";

interface ComparisonCardProps {
  readonly of: Comparison;
  readonly onEdit: (uid: string) => void;
}

/** Compares one identity with the token, claim by claim. */
export function ComparisonCard({ of: { identity, checks, fits }, onEdit }: ComparisonCardProps): ReactNode {
  const { uid } = identity;
  const refusal = useRefusal();
  const { config } = useRouteContext({ from: "__root__" });
  const name = identityScreens.nameOf(identity);
  return (
    <article className={classes["card"]} aria-label={name}>
      <header className={classes["head"]}>
        <h3 className={classes["name"]}>
          <AppLink target={identityScreens.link(uid)}>
            <bdi>{name}</bdi>
          </AppLink>{" "}
          <span className={classes["quiet"]}>
            in <GroupLink uid={parentOf(uid)} />
          </span>
        </h3>
        {fits ? null : (
          <ActionButton reason={refusal(identities.update, uid)} onClick={() => onEdit(uid)}>
            Edit identity
          </ActionButton>
        )}
      </header>
      <div className={classes["scroller"]} tabIndex={0} role="region" aria-label={`Claims of ${name}`}>
        <table className={classes["table"]}>
          <thead>
            <tr>
              <th scope="col">Claim</th>
              <th scope="col">Identity expects</th>
              <th scope="col">Token says</th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            {checks.map((check) => (
              <Row key={`${check.claim} ${check.by}`} check={check} />
            ))}
          </tbody>
        </table>
      </div>
      {fits ? <MayDo identity={identity} /> : null}
      {fits && config.tokenExchange ? (
        <details className={classes["exchange"]}>
          <summary>Exchange it for a token of the platform</summary>
          <p className={classes["quiet"]}>With the token in OIDC_TOKEN. The new one is valid for an hour.</p>
          <Document text={exchangeCommand(config.apiBaseUrl, uid)} what="command" />
        </details>
      ) : null}
    </article>
  );
}

function Row({ check }: { readonly check: TokenCheck }): ReactNode {
  const { claim, by, wanted, found, fits, why, change } = check;
  const [mine, theirs]: readonly [readonly Segment[], readonly Segment[]] =
    by === "exact" && found !== undefined
      ? segmentsOf(wanted, found)
      : [[{ text: wanted, differs: false }], [{ text: found ?? "", differs: false }]];
  return (
    <>
      <tr data-fits={fits}>
        <th scope="row">
          <code>{claim}</code>
        </th>
        <td>
          <Marked segments={mine} />{" "}
          {by === "pattern" ? <span className={classes["quiet"]}>pattern</span> : null}
        </td>
        <td>{found === undefined ? <Dash label="missing" /> : <Marked segments={theirs} />}</td>
        <td>
          <Badge tone={fits ? "success" : "danger"}>{fits ? "Same" : "Differs"}</Badge>
        </td>
      </tr>
      {fits ? null : (
        <tr>
          <td colSpan={4} className={classes["why"]}>
            <p>{why}</p>
            <p>
              <strong>What to change:</strong> <span>{change}</span>
            </p>
          </td>
        </tr>
      )}
    </>
  );
}

/** Marks the characters of a text that the other one doesn't have. */
const Marked = ({ segments }: { readonly segments: readonly Segment[] }): ReactNode => (
  <code dir="ltr" className={classes["wrap"]}>
    {segments.map(({ text, differs }, index) =>
      differs ? (
        <mark key={index} className={classes["differs"]}>
          <VisuallyHidden>[</VisuallyHidden>
          {visible(text)}
          <VisuallyHidden>]</VisuallyHidden>
        </mark>
      ) : (
        <span key={index}>{visible(text)}</span>
      ),
    )}
  </code>
);
