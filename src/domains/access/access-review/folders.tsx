import { Button, TextInput } from "@mantine/core";
import { useMemo, useState, type ReactNode } from "react";

import "~/ui/controls/button-styles";
import { FactTable } from "~/ui/display/fact-table";
import { Section } from "~/ui/display/section";
import { formatQuantity } from "~/ui/display/numbers";

import { download } from "./download";
import { folderOf, type ReviewItem, type Review } from "./format";
import { isOpenItem, partOf, reviewerOf } from "./progress";
import type { ReviewChange } from "./store";
import classes from "./styles.module.css";

interface FoldersProps {
  readonly review: Review;
  readonly set: (change: ReviewChange) => void;
  readonly locked: string | undefined;
}

/** Gives folders to reviewers; each gets a file with their part, whose decisions are taken over from it later. */
export function Folders({ review, set, locked }: FoldersProps): ReactNode {
  const folders = useMemo(() => {
    const found = new Map<string, ReviewItem[]>();
    for (const item of review.items) found.set(folderOf(item), [...(found.get(folderOf(item)) ?? []), item]);
    return [...found].toSorted(([one], [other]) => (one < other ? -1 : 1));
  }, [review.items]);
  const assign = (folder: string, reviewer: string) =>
    set((now) => {
      const { [folder]: _, ...others } = now.reviewers;
      return { ...now, reviewers: reviewer === "" ? others : { ...others, [folder]: reviewer } };
    });
  const parts = [...new Set(review.items.flatMap((item) => reviewerOf(review, item) ?? []))].toSorted();
  return (
    <>
      <Section
        title="Reviewers"
        description="A folder's reviewer also covers its subfolders, unless those have their own. Naming a reviewer doesn't notify them: send each one their file."
      >
        <FactTable
          caption="Folders of this review"
          stacks
          head={["Folder", "Reviewer", "Role bindings", "Left"]}
          rows={folders.map(([uid, items]) => {
            const [first] = items;
            const inherited =
              first && review.reviewers[uid] === undefined ? reviewerOf(review, first) : undefined;
            return [
              <bdi key="name">{first?.folder}</bdi>,
              <Reviewer
                key={uid}
                folder={first?.folder ?? ""}
                value={review.reviewers[uid] ?? ""}
                inherited={inherited}
                disabled={locked !== undefined}
                onSave={(reviewer) => assign(uid, reviewer)}
              />,
              items.length,
              items.filter(isOpenItem).length,
            ];
          })}
        />
      </Section>
      {parts.length > 0 ? (
        <div className={classes["acts"]}>
          {parts.map((reviewer) => {
            const part = partOf(review, reviewer);
            return (
              <Button key={reviewer} variant="default" onClick={() => download(part)}>
                Download the part of {reviewer} ({formatQuantity(part.items.length, "role binding")})
              </Button>
            );
          })}
        </div>
      ) : null}
    </>
  );
}

interface ReviewerProps {
  readonly folder: string;
  readonly value: string;
  readonly inherited: string | undefined;
  readonly disabled: boolean;
  readonly onSave: (reviewer: string) => void;
}

function Reviewer({ folder, value, inherited, disabled, onSave }: ReviewerProps): ReactNode {
  const [text, setText] = useState(value);
  return (
    <TextInput
      aria-label={`Reviewer of ${folder}`}
      placeholder={inherited === undefined ? "Name or email" : `${inherited} (from above)`}
      value={text}
      maxLength={200}
      autoComplete="off"
      disabled={disabled}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => onSave(text.trim())}
      onKeyDown={(event) => (event.key === "Enter" ? onSave(text.trim()) : undefined)}
    />
  );
}
