import { useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect } from "react";

import { noteVisit } from "./recent";
import { screenTitle, useScreenTitle } from "~/frame/scope/title";

import { useRecord } from "../use-current";

/** Records each record whose page is shown, with the title of its page. */
export function useVisits(): void {
  const client = useQueryClient();
  const own = useParams({ strict: false, select: (params: { uid?: string }) => params.uid !== undefined });
  const { collection, uid } = useRecord() ?? {};
  const title = useScreenTitle();
  useEffect(() => {
    // Read the latest title: during a page transition, the rendered one is still that of the previous page.
    const name = screenTitle();
    if (!own || collection === undefined || uid === undefined || name === "") return;
    // Error pages have a title too: record only what was loaded.
    if (client.getQueryData([collection, "get", uid])) noteVisit({ collection, uid, name });
  }, [client, own, collection, uid, title]);
}
