import { DiffIcon } from "lucide-react";
import { useState, type ReactNode } from "react";

import { useCleanAddress } from "~/frame/clean-address";
import { useTitle } from "~/frame/scope/title";
import { Page, PageHeader } from "~/ui/layout/page";
import { Section } from "~/ui/display/section";
import { onDemand } from "~/ui/on-demand";

import { ChooseFiles } from "./choose-files";
import type { FoundFile } from "./found-files";

// What reads states and makes plans is for this page alone.
const PlanFromFiles = onDemand(async () => (await import("./plan-from-files")).PlanFromFiles);

const TITLE = "Plan";

interface Chosen {
  readonly files: Promise<readonly FoundFile[]>;
  readonly turn: number;
}

const readNothing = () => ({});

/** What would make an organization or folder as its files say; applied by a job. */
export function PlanPage(): ReactNode {
  useCleanAddress(readNothing);
  useTitle(TITLE);
  const [chosen, setChosen] = useState<Chosen>();
  return (
    <Page>
      <PageHeader
        icon={DiffIcon}
        title={TITLE}
        description="See what would make an organization or folder as its files say, and apply it."
      />
      <Section
        title="Files"
        description="A state: a snapshot file, or the folder that “platform snapshot --split” wrote, with your changes. Or a plan that “platform plan --out” wrote. They stay in this browser."
      >
        <ChooseFiles onChoose={(files) => setChosen({ files, turn: (chosen?.turn ?? 0) + 1 })} />
      </Section>
      {chosen ? <PlanFromFiles key={chosen.turn} files={chosen.files} /> : null}
    </Page>
  );
}
