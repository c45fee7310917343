import type { ReactNode } from "react";

import { StatusBadge } from "~/domains/vulnerabilities/advisories/status-badge";
import { Badge } from "~/ui/display/badge";
import { CheckTable } from "~/ui/display/check-table";
import { FactTable } from "~/ui/display/fact-table";
import { Section } from "~/ui/display/section";
import { Notice } from "~/ui/feedback/notice";

import { LONG, RTL } from "./names";
import { Specimen } from "./specimen";

/** What a page that answers a question is made of: the answer in a sentence, then what it follows from. */
export const Questions = (): ReactNode => (
  <>
    <Specimen title="The answer">
      <Notice tone="danger" title="CVE-2026-12345 affects 1 package below." role="status">
        Also known as GHSA-mjwj-f8pp-hvrw.
      </Notice>
      <Notice tone="success" title="It matches ci-release" role="status">
        If its signature is valid, the platform accepts it as this identity.
      </Notice>
    </Specimen>
    <Specimen title="What it follows from">
      <Section title="Affected" count={2}>
        <FactTable
          caption="Affected"
          head={["Artifact", "Status", "Component"]}
          rows={[
            ["glibc", <StatusBadge key="status" of="affected" />, LONG],
            [RTL, <StatusBadge key="status" of="under_investigation" />, ""],
          ]}
        />
      </Section>
      <Section title="Nearly matches" count={1}>
        <FactTable
          caption="Claims"
          head={["Claim", "Identity expects", "Token says", "Result"]}
          rows={[
            [
              "sub",
              LONG,
              LONG,
              <Badge key="result" tone="success">
                Same
              </Badge>,
            ],
            [
              "aud",
              "platform",
              "",
              <Badge key="result" tone="danger">
                Differs
              </Badge>,
            ],
          ]}
        />
      </Section>
    </Specimen>
    <Specimen title="What was checked">
      <CheckTable
        checks={[
          { label: "Signature", verdict: "right", text: "It was made with a key of this platform." },
          { label: "Subject (sub)", verdict: "wrong", text: `It is ${LONG}.` },
          {
            label: "Expiry (exp)",
            verdict: "late",
            text: "The token was valid until 2026-11-26 12:05:00 UTC.",
          },
          { label: "Body", verdict: "unknown", text: "Paste the body to check it." },
        ]}
      />
    </Specimen>
  </>
);
