import { useQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";

import { useCleanAddress } from "~/frame/clean-address";
import { iconOf } from "~/frame/kind-icons";
import { paramToUid } from "~/frame/scope/uid-param";
import { useTitle } from "~/frame/scope/title";
import { Section } from "~/ui/display/section";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";
import { Page, PageHeader } from "~/ui/layout/page";
import "~/ui/layout/print.css";
import { onDemand } from "~/ui/on-demand";

import { reviewQuery } from "./data";
import type { ReviewFile } from "./file";
import { OpenFile } from "./open-file";
import { Reviews } from "./reviews";
import { readReviewSearch } from "./search";

const TITLE = "Access review";
const ALL = {
  to: "/access-review",
  search: (now: object) => ({ ...now, review: undefined, step: undefined, binding: undefined }),
};

const Campaign = onDemand(async () => (await import("./campaign")).Campaign);
const ReviewTable = onDemand(async () => (await import("./report")).ReviewTable);

/** Reviews of every role binding of a scope: decided by several people, applied together, and reported. */
export function AccessReview(): ReactNode {
  const search = useCleanAddress(readReviewSearch);
  const uid = search.review === undefined ? undefined : paramToUid(search.review);
  useTitle(TITLE);
  const { config } = useRouteContext({ from: "__root__" });
  const { data } = useQuery({
    ...reviewQuery(uid ?? ""),
    enabled: config.accessReviews && uid !== undefined,
  });
  const [file, setFile] = useState<ReviewFile>();
  return (
    <Page>
      <PageHeader
        icon={iconOf("accessReview")}
        title={data?.title ?? TITLE}
        description={
          uid === undefined ? (
            "Decide for each role binding whether it stays, together with others, then apply all decisions at once."
          ) : (
            <AppLink target={ALL}>All access reviews</AppLink>
          )
        }
      />
      {config.accessReviews ? (
        uid === undefined ? (
          <Reviews />
        ) : (
          <Campaign key={uid} uid={uid} search={search} />
        )
      ) : (
        <Notice>
          This service keeps no access reviews. You can read files of reviews that another one kept.
        </Notice>
      )}
      {uid === undefined ? (
        <Section
          title="Read a file"
          description="Shows a review that was downloaded, or its report. It stays in this browser, and nothing changes."
        >
          <OpenFile label="Access review file" onOpen={setFile} />
          {file ? (
            <>
              <p>
                <bdi>{file.review.title}</bdi>
              </p>
              <ReviewTable items={file.items} />
            </>
          ) : null}
        </Section>
      ) : null}
    </Page>
  );
}
