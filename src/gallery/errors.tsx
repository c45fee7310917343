import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import "~/ui/controls/button-styles";
import { HiddenEmpty, NotFound, NothingMatches, NothingVisible, NothingYet } from "~/ui/feedback/empty";
import { ErrorView } from "~/ui/feedback/error-view";
import { FailedPart } from "~/ui/feedback/failed-part";
import { StaleNotice } from "~/ui/feedback/stale-notice";

import { HOSTILE, LONG, UID } from "./names";
import { Specimen } from "./specimen";

const ERROR = new Error("The service can't be reached.");
const ignore = () => undefined;
const TEN_MINUTES_AGO = Date.now() - 600_000;

/** What stands in the place of content. */
export const Errors = (): ReactNode => (
  <>
    <Specimen title="Nothing yet">
      <NothingYet title="No repos here yet" action={<Button>Create repo</Button>}>
        A repo holds the tags of one image.
      </NothingYet>
    </Specimen>
    <Specimen title="Nothing matches">
      <NothingMatches
        what="repos"
        filters={HOSTILE.map((name) => `name contains "${name}"`)}
        onClear={ignore}
      />
    </Specimen>
    <Specimen title="Not permitted">
      <HiddenEmpty needs={LONG} ask={LONG} />
    </Specimen>
    <Specimen title="Not found">
      <NotFound kind="identity" sought={UID} />
    </Specimen>
    <Specimen title="Nothing visible">
      <NothingVisible what="identities" />
    </Specimen>
    <Specimen title="ErrorView" use="In place of content that failed to load.">
      <ErrorView
        title="Identities couldn't be loaded"
        message={LONG}
        requestId="0123456789abcdef"
        details="503 Service Unavailable"
        onRetry={ignore}
      />
    </Specimen>
    <Specimen title="FailedPart" use="A part failed, and the rest of the page is shown.">
      <FailedPart title="The readme couldn't be loaded" error={ERROR} onRetry={ignore} />
    </Specimen>
    <Specimen title="StaleNotice">
      <StaleNotice error={ERROR} since={TEN_MINUTES_AGO} onRetry={ignore} />
    </Specimen>
  </>
);
