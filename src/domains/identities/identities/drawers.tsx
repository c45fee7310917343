import type { ReactNode } from "react";

import type { Identity } from "platform-contract/iam/identities";
import { Drawers, type DrawersProps } from "~/frame/form/drawers";

import { PULL_TOKEN } from "~/domains/identities/pull-token/links";
import { onDemand } from "~/ui/on-demand";

import { identityScreens } from "./data";
import { IdentityForm } from "./form";

// Signs tokens: the code of that loads with the dialog.
const PullToken = onDemand(
  async () => (await import("~/domains/identities/pull-token/pull-token")).PullToken,
);

export { IdentityActs } from "./acts";
export { AddKey } from "./add-key";
export { IdentityForm } from "./form";
export { RetireKey } from "./retire-key";
export { ReplaceToken } from "~/domains/identities/pull-token/replace-token";
export { RemoveAccess } from "~/domains/access/grants/remove-access";

export const IdentityDrawers = (props: DrawersProps<Identity>): ReactNode =>
  props.drawer === PULL_TOKEN ? (
    <PullToken scope={props.scope} repo={props.item} onClose={props.onClose} />
  ) : (
    <Drawers {...props} of={identityScreens} form={IdentityForm} />
  );
