import { Button, Textarea } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useDeferredValue, useLayoutEffect, useRef, useState, type ReactNode } from "react";

import { useCan } from "~/frame/permissions/use-can";
import { identities } from "platform-contract/iam/identities";
import type { Scope } from "~/frame/scope/scope";
import { useTitle } from "~/frame/scope/title";
import "~/ui/controls/button-styles";
import { iconOf } from "~/frame/kind-icons";
import { HiddenByRole } from "~/frame/scope/hidden-by-role";
import { Page, PageHeader } from "~/ui/layout/page";
import { onDemand } from "~/ui/on-demand";

import { identityScreens, loadDrawers } from "../data";
import type { IdentityValues } from "../values";
import classes from "./styles.module.css";
import { Verdict } from "./verdict";

const IdentityForm = onDemand(async () => (await loadDrawers()).IdentityForm);
const { drawers: Drawers } = identityScreens;

interface TokenTesterProps {
  readonly scope: Scope;
  /** True once the scope is known. */
  readonly known: boolean;
  readonly onClose: () => void;
}

/**
 * Shows which identity a token matches. The token is only in this component's memory: never in a request, storage, a
 * cache, a form draft or the address. Therefore the form of an identity opens here without its own address: navigating
 * would lose the token.
 */
export function TokenTester({ scope, known, onClose }: TokenTesterProps): ReactNode {
  const { allowed, capability } = useCan(identities.list, scope.group);
  const [text, setText] = useState("");
  const [edited, setEdited] = useState<string>();
  const [created, setCreated] = useState<IdentityValues>();
  const field = useRef<HTMLTextAreaElement>(null);
  const token = useDeferredValue(text.trim());
  useTitle("Test a token");
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  const stopEditing = () => setEdited(undefined);
  return (
    <Page>
      <PageHeader
        icon={iconOf("identities")}
        title="Test a token"
        description="Paste an OIDC token to see which identity it matches, claim by claim."
        actions={
          <Button variant="default" onClick={onClose}>
            Back to identities
          </Button>
        }
      />
      {edited === undefined || !Drawers ? null : (
        <Drawers
          drawer="edit"
          item={edited}
          known={undefined}
          scope={scope.group}
          onClose={stopEditing}
          onDeleted={stopEditing}
        />
      )}
      {created ? (
        <IdentityForm from={created} scope={scope.group} onClose={() => setCreated(undefined)} />
      ) : null}
      {allowed ? (
        <>
          <div className={classes["paste"]}>
            <Textarea
              ref={field}
              label="Token"
              description="Decoded on this page. Never sent or stored, and cleared when you leave."
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              rows={5}
              resize="vertical"
              // Otherwise a browser may send it to a spelling service, or offer it again after a reload.
              spellCheck={false}
              autoComplete="off"
              autoCapitalize="off"
              autoCorrect="off"
              data-1p-ignore
              data-lpignore="true"
              dir="ltr"
              classNames={{ input: classes["token"] ?? "" }}
            />
            {text === "" ? null : (
              <Button variant="default" onClick={() => setText("")}>
                Clear
              </Button>
            )}
          </div>
          {token === "" ? (
            <Hint />
          ) : (
            <Verdict text={token} scope={scope} known={known} onEdit={setEdited} onCreate={setCreated} />
          )}
        </>
      ) : (
        <HiddenByRole capability={capability} group={scope.group} place={scope.group} />
      )}
    </Page>
  );
}

const Hint = (): ReactNode => (
  <p className={classes["quiet"]}>
    In a CI job, the token is what you send as the bearer token of a request. Print it only in a test project:
    until it expires, anyone who has it can use it.
  </p>
);
