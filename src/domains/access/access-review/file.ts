import * as z from "zod/mini";

import {
  listAccessReviewItems,
  type AccessReview,
  type AccessReviewItem,
} from "platform-contract/iam/access-reviews";
import { TextProblem } from "~/frame/untrusted-text/outcome";

/** The `format` of the file of a review; a signed report has the same. */
const FORMAT = "platform-access-review";
const VERSION = 1;
/** Longest file that is read, in bytes. */
export const MAX_BYTES = 20_000_000;

export interface ReviewFile {
  readonly review: AccessReview;
  readonly items: readonly AccessReviewItem[];
}

const head = z.looseObject({ format: z.string(), version: z.number() });
const short = z.optional(z.string().check(z.maxLength(1_000)));
const file = z.looseObject({
  review: z.looseObject({ uid: z.string(), title: short, groupName: short }),
  items: z.array(
    z.looseObject({
      uid: z.string(),
      identityName: short,
      roleName: short,
      groupName: short,
      decision: short,
      toRoleUid: short,
      toRoleName: short,
      note: short,
      findings: z.optional(z.array(z.string())),
    }),
  ),
});

/** Reads the text of a file. Throws a TextProblem. */
export function readReview(text: string): ReviewFile {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new TextProblem("This file isn't valid JSON, so it isn't an access review.");
  }
  const begins = head.safeParse(json);
  if (!begins.success || begins.data.format !== FORMAT)
    throw new TextProblem("This file isn't an access review. Choose one downloaded from this page.");
  if (begins.data.version !== VERSION)
    throw new TextProblem(
      `This access review has version ${begins.data.version}, but this console reads version ${VERSION}.`,
    );
  const read = file.safeParse(json);
  const envelope = listAccessReviewItems.answer?.safeParse({ accessReviewItems: Object(json)["items"] });
  if (!read.success || envelope?.success !== true) {
    const where = read.error?.issues[0]?.path.join(".") ?? "";
    throw new TextProblem(
      `This access review is damaged${where === "" ? "" : ` at ${where}`}: it was changed or cut off.`,
    );
  }
  return read.data as ReviewFile;
}

/** The text of the file, one role binding a line. */
export function reviewFile({ review, items }: ReviewFile): string {
  const rows = items.map((item) => `\n  ${JSON.stringify(item)}`).join(",");
  return `{"format":${JSON.stringify(FORMAT)},"version":${VERSION},\n"review":${JSON.stringify(review)},\n"items":[${rows}\n]}\n`;
}
