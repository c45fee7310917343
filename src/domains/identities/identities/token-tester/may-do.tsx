import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import type { Identity } from "platform-contract/iam/identities";
import { AppliesTo } from "~/domains/access/grants/applies-to";
import { WithoutEffect } from "~/domains/access/grants/without-effect";
import { scopeOfSubject } from "~/domains/identities/pull-token/pull-tokens";
import { GroupLink } from "~/frame/scope/group-link";
import { HiddenLine } from "~/frame/scope/hidden-by-role";
import { FailedPart } from "~/ui/feedback/failed-part";
import { AppLink } from "~/ui/layout/link";

import { imagesOf, type ImageAccess } from "../effective-access/effective";
import { identityTab } from "../effective-access/links";
import { useAccessOf } from "../effective-access/use-access-of";
import classes from "./styles.module.css";

const actOf = ({ pull, push }: ImageAccess): string =>
  pull && push ? "pull and push" : pull ? "pull, but not push," : "push, but not pull,";

/** What a token can do with images that matches an identity: where its roles let it pull and push. */
export function MayDo({ identity }: { readonly identity: Identity }): ReactNode {
  const { uid, staticKeys } = identity;
  const { access, rows, sight, pending, error, retry, whole } = useAccessOf(uid);
  const only = staticKeys && scopeOfSubject(staticKeys.subject);
  return (
    <section className={classes["mayDo"]} aria-label="What the token can do">
      <h4>What it can do with images{whole || pending ? "" : ", at least"}</h4>
      {sight.state === "hidden" ? (
        <HiddenLine capability={sight.capability} />
      ) : pending ? (
        <p className={classes["quiet"]}>Loading…</p>
      ) : error ? (
        <FailedPart title="Its roles couldn't be loaded" error={error} onRetry={retry} />
      ) : (
        <Where images={imagesOf(access)} whole={whole} />
      )}
      {only === undefined || only === "*" ? null : (
        <p>
          A pull token: it is limited to <bdi>{only}</bdi>.
        </p>
      )}
      <WithoutEffect bindings={rows} />
      <p>
        <AppLink target={identityTab(uid, "access")}>All of its permissions</AppLink>
      </p>
    </section>
  );
}

function Where({ images, whole }: { readonly images: readonly ImageAccess[]; whole: boolean }): ReactNode {
  if (images.length === 0)
    return (
      <p>
        {whole
          ? "Nothing: none of its roles lets it pull or push."
          : "Unknown: no role that you can see lets it pull or push."}
      </p>
    );
  return (
    <ul className={classes["where"]}>
      {images.map((image) => (
        <li key={image.group}>
          Can {actOf(image)} in <GroupLink uid={image.group} /> and below
          {parentOf(image.group) === "" ? ", the whole organization" : ""}
          <AppliesTo group={image.group} what="This" />
        </li>
      ))}
    </ul>
  );
}
