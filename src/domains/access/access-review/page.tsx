import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useTitle } from "~/frame/scope/title";
import { useCleanAddress } from "~/frame/clean-address";
import { iconOf } from "~/frame/kind-icons";
import { Notice } from "~/ui/feedback/notice";
import { Page, PageHeader } from "~/ui/layout/page";
import "~/ui/layout/print.css";
import { onDemand } from "~/ui/on-demand";

import { Begin } from "./begin";
import { readReviewSearch } from "./search";
import { useStoredReview } from "./store";
import { loadSteps } from "./use-reading";

const TITLE = "Access review";

const Campaign = onDemand(async () => (await loadSteps()).Campaign);

/** Reviews every role binding of a scope: decided one by one, applied together, and signed off. */
export function AccessReview(): ReactNode {
  const search = useCleanAddress(readReviewSearch);
  useTitle(TITLE);
  const { config } = useRouteContext({ from: "__root__" });
  const { review, set, stored } = useStoredReview();
  return (
    <Page>
      <PageHeader
        icon={iconOf("accessReview")}
        title={review?.title ?? TITLE}
        description={
          review ? (
            <>
              Every role binding in <bdi>{review.scope.name}</bdi> and below.
            </>
          ) : (
            "Go through who has which role, decide, and apply it together."
          )
        }
      />
      {stored ? null : (
        <Notice tone="warning" title="This browser has no room for the review" role="alert">
          Download the file before you leave: a reload would lose what you decide now.
        </Notice>
      )}
      {review ? (
        <Campaign key={review.id} review={review} set={set} search={search} config={config} />
      ) : (
        <Begin service={config.apiBaseUrl} onOpen={set} />
      )}
    </Page>
  );
}
