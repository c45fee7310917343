import { Button } from "@mantine/core";
import { useRouteContext } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { identities, type Identity } from "platform-contract/iam/identities";
import "~/ui/controls/button-styles";
import { Code } from "~/ui/display/code";
import { Expiry } from "~/ui/display/expiry";
import { FactTable } from "~/ui/display/fact-table";
import { Document } from "~/ui/display/json-document";
import { Section } from "~/ui/display/section";
import { onDemand } from "~/ui/on-demand";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import { pullTokenKeys } from "~/domains/identities/pull-token/pull-tokens";
import type { ReplaceTokenProps } from "~/domains/identities/pull-token/replace-token";

import { KEYS_EXPIRE, loadDrawers } from "./data";
import type { AddKeyProps } from "./add-key";
import { keysOf, type HeldKey } from "./keys";
import type { RetireKeyProps } from "./retire-key";

// Makes and exports keys: the code of that loads with the dialog.
const AddKey = onDemand<AddKeyProps>(async () => (await loadDrawers()).AddKey);
const ReplaceToken = onDemand<ReplaceTokenProps>(async () => (await loadDrawers()).ReplaceToken);
const RetireKey = onDemand<RetireKeyProps>(async () => (await loadDrawers()).RetireKey);

const onlyKey = (isPullToken: boolean): string =>
  `An identity needs at least one key. ${isPullToken ? "Replace the token" : "Add another key"} first, or delete the identity`;

interface StaticKeysProps {
  readonly identity: Identity;
  readonly staticKeys: NonNullable<Identity["staticKeys"]>;
}

/** The keys that sign an identity's tokens: when they end, and what replaces them. */
export function StaticKeys({ identity, staticKeys }: StaticKeysProps): ReactNode {
  const { issuerKeys, expirationTime } = staticKeys;
  const [adding, setAdding] = useState(false);
  const [retired, setRetired] = useState<HeldKey>();
  const refusal = useRefusal()(identities.update, identity.uid);
  const keys = keysOf(issuerKeys);
  const { baseUrl, registryAudience: audience = "" } = useRouteContext({ from: "__root__" }).config;
  // A key that can be downloaded would sign more than such an identity's tokens may say.
  const isPullToken = pullTokenKeys(identity, baseUrl, audience) !== undefined;
  const Replacing = isPullToken ? ReplaceToken : AddKey;
  return (
    <Section
      title="Keys"
      count={keys?.length}
      description={
        <>
          Tokens signed with any of these keys are accepted. All of them expire{" "}
          <Expiry value={expirationTime} soon={KEYS_EXPIRE} />
        </>
      }
      actions={
        <DisabledReason reason={refusal ?? (keys ? undefined : "The keys aren't a JWKS document")}>
          <Button
            variant="default"
            onPointerEnter={Replacing.preload}
            onFocus={Replacing.preload}
            onClick={() => setAdding(true)}
          >
            {isPullToken ? "Replace token" : "Add key"}
          </Button>
        </DisabledReason>
      }
    >
      {keys ? (
        <FactTable
          caption="Keys"
          head={["Key ID", "Algorithm", ""]}
          rows={keys.map((key) => [
            key.kid === undefined ? (
              `Key ${key.index + 1}, without an ID`
            ) : (
              <Code key="id" value={key.kid} what="key ID" />
            ),
            key.algorithm,
            <DisabledReason
              key="retire"
              reason={refusal ?? (keys.length === 1 ? onlyKey(isPullToken) : undefined)}
            >
              <Button
                variant="default"
                size="compact-sm"
                aria-label={`Retire key ${key.kid ?? key.index + 1}`}
                onClick={() => setRetired(key)}
              >
                Retire
              </Button>
            </DisabledReason>,
          ])}
        />
      ) : null}
      <details>
        <summary>{keys ? "JWKS document" : "Not a JWKS document"}</summary>
        <Document text={indented(issuerKeys)} what="public keys" />
      </details>
      {!adding ? null : isPullToken ? (
        <ReplaceToken
          identity={identity}
          staticKeys={staticKeys}
          audience={audience}
          onClose={() => setAdding(false)}
        />
      ) : (
        <AddKey identity={identity} staticKeys={staticKeys} onClose={() => setAdding(false)} />
      )}
      {retired ? (
        <RetireKey
          identity={identity}
          staticKeys={staticKeys}
          retired={retired}
          onClose={() => setRetired(undefined)}
        />
      ) : null}
    </Section>
  );
}

/** Pretty-prints JSON; returns other text as is. */
function indented(document: string): string {
  try {
    return JSON.stringify(JSON.parse(document), undefined, 2);
  } catch {
    return document;
  }
}
