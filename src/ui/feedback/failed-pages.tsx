import type { ReactNode } from "react";

import { FailedPart } from "./failed-part";

interface FailedPagesProps {
  /** What failed: "The role bindings couldn't be loaded". */
  readonly title: string;
  readonly query: {
    readonly isError: boolean;
    readonly error: unknown;
    readonly isFetchNextPageError: boolean;
    readonly fetchNextPage: () => unknown;
    readonly refetch: () => unknown;
  };
}

/** Says that a list in pages failed, and loads again only what is missing; nothing if it did not fail. */
export const FailedPages = ({ title, query }: FailedPagesProps): ReactNode =>
  query.isError ? (
    <FailedPart
      title={title}
      error={query.error}
      onRetry={() => (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
    />
  ) : null;
