import { fileName } from "~/frame/export/export-file";
import { saveAs } from "~/ui/display/save-as";

import { reviewFile, type Review } from "./format";

/** Downloads the file of a review, or of one reviewer's part. */
export function download(review: Review): void {
  const name = fileName(
    {
      list: "access review",
      scope: review.part === undefined ? review.scope.name : `${review.scope.name} ${review.part}`,
      partial: false,
      now: new Date(),
    },
    "json",
  );
  saveAs(name, reviewFile(review), "application/json");
}
