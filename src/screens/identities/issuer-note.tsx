import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { Notice } from "~/ui/feedback/notice";

import { isUntrusted } from "./issuer-trust";

/** Says that the platform does not accept the tokens of an issuer; nothing while that is not certain. */
export function IssuerNote({ issuer }: { readonly issuer: string }): ReactNode {
  const { config } = useRouteContext({ from: "__root__" });
  if (!isUntrusted(issuer, config)) return null;
  return (
    <Notice tone="warning" title="This platform does not trust the issuer">
      Tokens of <bdi>{issuer.trim()}</bdi> are refused until an operator of the platform adds it. The identity
      can be made before that.
    </Notice>
  );
}
