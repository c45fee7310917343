import { useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect } from "react";

import { noteVisit } from "~/features/command-palette/recent";
import { screenTitle, useScreenTitle } from "~/features/scope/title";

import { useRecord } from "../use-current";

/** Remembers each record whose page is shown, by the name that the page gives it. */
export function useVisits(): void {
  const client = useQueryClient();
  const own = useParams({ strict: false, select: (params: { uid?: string }) => params.uid !== undefined });
  const { collection, uid } = useRecord() ?? {};
  const title = useScreenTitle();
  useEffect(() => {
    // As it is by now: while a page gives way to the next one, that which was drawn is still the title of the first.
    const name = screenTitle();
    if (!own || collection === undefined || uid === undefined || name === "") return;
    // What is not there, or may not be seen, has a title too.
    if (client.getQueryData([collection, "get", uid])) noteVisit({ collection, uid, name });
  }, [client, own, collection, uid, title]);
}
