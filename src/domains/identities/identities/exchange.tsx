import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { Identity } from "platform-contract/iam/identities";
import { Document } from "~/ui/display/json-document";
import { Section } from "~/ui/display/section";

import { exchangeTexts } from "./exchange-files";
import classes from "./styles.module.css";

/** Shows how a workload exchanges its own token for one of the platform, if this service can. */
export function Exchange({ identity }: { readonly identity: Identity }): ReactNode {
  const { config } = useRouteContext({ from: "__root__" });
  const texts = config.tokenExchange ? exchangeTexts(identity, config.apiBaseUrl) : [];
  if (texts.length === 0) return null;
  return (
    <Section
      title="Get a token"
      description="The workload sends its own token, here in OIDC_TOKEN, and gets one of the platform that is valid for an hour. To limit it, add &cap=repo.list (permissions) or &scopes= and the uid of a folder to the URL."
    >
      {texts.map(({ label, file, text }) => (
        <div key={label} className={classes["exchange"]}>
          <h3>
            {label}
            {file ? (
              <>
                : <code>{file}</code>
              </>
            ) : null}
          </h3>
          <Document text={text} what={file ?? "command"} />
        </div>
      ))}
    </Section>
  );
}
