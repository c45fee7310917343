import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { Notice } from "~/ui/feedback/notice";

import { isUntrusted } from "./issuer-trust";

/** Warns that the platform rejects the tokens of an issuer. Renders nothing unless that is certain. */
export function IssuerNote({ issuer }: { readonly issuer: string }): ReactNode {
  const { config } = useRouteContext({ from: "__root__" });
  if (!isUntrusted(issuer, config)) return null;
  return (
    <Notice tone="warning" title="Issuer not trusted yet">
      Tokens from <bdi>{issuer.trim()}</bdi> are rejected until a platform operator trusts it.
    </Notice>
  );
}
