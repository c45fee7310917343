import { useQuery } from "@tanstack/react-query";
import { XIcon } from "lucide-react";
import { useRef, type ReactNode } from "react";

import { repoTags } from "~/domains/registry/references/repo-links";
import { repoNameQuery } from "~/domains/registry/references/repo-names";
import { RepoSearch } from "~/domains/registry/references/repo-search";
import {
  DEFAULT_TAG,
  IMAGES_MAX,
  tagsOf,
  type Image,
} from "~/domains/vulnerabilities/vulnerability-reports/images";
import { FilterText } from "~/ui/controls/filters";
import { IconButton } from "~/ui/controls/icon-button";
import { shorten } from "~/ui/display/shorten";
import { AppLink } from "~/ui/layout/link";

import classes from "./styles.module.css";

interface ImagePickerProps {
  readonly images: readonly Image[];
  readonly onChange: (images: readonly Image[]) => void;
}

/** Edits the images of a report: repos with the tags to include. */
export function ImagePicker({ images, onChange }: ImagePickerProps): ReactNode {
  const search = useRef<HTMLInputElement>(null);
  const replace = (repo: string, next?: Image) => {
    onChange(images.flatMap((image) => (image.repo === repo ? (next ?? []) : image)));
    if (!next) search.current?.focus();
  };
  return (
    <div className={classes["images"]}>
      {images.length > 0 ? (
        <ul className={classes["chosen"]} aria-label="Images">
          {images.map((image) => (
            <Chosen key={image.repo} image={image} onChange={(next) => replace(image.repo, next)} />
          ))}
        </ul>
      ) : null}
      {images.length >= IMAGES_MAX ? (
        <p className={classes["quiet"]}>A report can have up to {IMAGES_MAX} images.</p>
      ) : (
        <RepoSearch
          label="Add image"
          ref={search}
          chosen={images.map(({ repo }) => repo)}
          onAdd={(repo) => onChange([...images, { repo, tags: [] }])}
        />
      )}
    </div>
  );
}

interface ChosenProps {
  readonly image: Image;
  /** Undefined removes the image. */
  readonly onChange: (image: Image | undefined) => void;
}

function Chosen({ image, onChange }: ChosenProps): ReactNode {
  const { repo, tags } = image;
  const { data } = useQuery(repoNameQuery(repo));
  const name = data?.name ?? shorten(repo);
  return (
    <li>
      <div role="group" aria-label={name} className={classes["image"]}>
        <AppLink target={repoTags(repo)} className={classes["repo"]} data-tip-overflow="">
          <bdi>{name}</bdi>
        </AppLink>
        <FilterText
          label="Tags"
          value={tags.join(", ") || DEFAULT_TAG}
          onApply={(text = "") => {
            const next = tagsOf(text);
            onChange({ repo, tags: next.join() === DEFAULT_TAG ? [] : next });
          }}
        />
        <IconButton label={`Remove ${name}`} tip="Remove" onClick={() => onChange(undefined)}>
          <XIcon size={16} />
        </IconButton>
      </div>
    </li>
  );
}
