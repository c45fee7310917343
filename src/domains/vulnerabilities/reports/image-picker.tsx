import { useQuery, useInfiniteQuery } from "@tanstack/react-query";
import { PlusIcon, XIcon } from "lucide-react";
import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useMemo,
} from "react";
import { ancestorsWithNames } from "~/frame/scope/ancestors";
import { GroupPath } from "~/frame/scope/group-path";
import { useScope, scopeQuery } from "~/frame/scope/scope";
import { useAncestorNames } from "~/frame/scope/use-ancestor-names";
import { repoTags } from "~/domains/registry/references/repo-links";
import { repoNameQuery } from "~/domains/registry/references/repo-names";
import {
  DEFAULT_TAG,
  IMAGES_MAX,
  tagsOf,
  type Image,
} from "~/domains/vulnerabilities/vulnerability-reports/images";
import { FilterText } from "~/ui/controls/filters";
import { IconButton } from "~/ui/controls/icon-button";
import { shorten } from "~/ui/display/shorten";
import { FailedPart } from "~/ui/feedback/failed-part";
import { plainField } from "~/ui/form/plain-field";
import { AppLink } from "~/ui/layout/link";
import classes from "./styles.module.css";
import { infinite, rowsOf } from "~/api/queries/queries";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import { repos } from "platform-contract/registry/repos";
import { contains } from "~/ui/contains";

/** Maximum number of matches to show, and of pages to read for them. */
const SHOWN = 8;
const PAGES = 5;

/**
 * Finds repos of the scope whose name contains a text. The API has no such filter, so this reads the list page by page
 * until enough match. Requests an exact name directly, since it can be beyond the pages that are read.
 */
function useRepoSearch(typed: string, chosen: readonly string[]) {
  const text = typed.trim();
  const settled = useDeferredValue(text);
  const scope = scopeQuery(useScope());
  const list = useInfiniteQuery(
    infinite(repos.list, { ...scope, order_by: "name", page_size: PAGE_SIZE_MAX }, { maxPages: Infinity }),
  );
  const exact = useInfiniteQuery({
    ...infinite(repos.list, { ...scope, name: settled, page_size: SHOWN }),
    enabled: settled.length > 2 && list.hasNextPage,
  });
  const some = rowsOf(exact.data).rows;
  const rows = rowsOf(list.data).rows;
  const among = chosen.join();
  // Memoized: the names of the ancestor groups are requested whenever the array changes.
  const found = useMemo(() => {
    const others = new Map([...some, ...rows].map((repo) => [repo.uid, repo]));
    for (const uid of among.split(",")) others.delete(uid);
    return [...others.values()].filter(({ uid, name, aliases = [] }) =>
      contains(text, [uid, name, ...aliases]),
    );
  }, [some, rows, among, text]);
  const shown = useMemo(() => found.slice(0, SHOWN), [found]);
  const enough = found.length >= SHOWN;
  const { hasNextPage, isFetching, isError, fetchNextPage, data, error, refetch } = list;
  const further = hasNextPage && !isFetching && !isError && (data?.pages.length ?? 0) < PAGES;
  useEffect(() => {
    if (text !== "" && !enough && further) void fetchNextPage();
  });
  return {
    found: shown,
    /** True if there are, or may be, more matches. */
    more: found.length > SHOWN || (!enough && hasNextPage),
    reading: isFetching,
    none: data !== undefined && rows.length === 0,
    error,
    retry: refetch,
  };
}

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
        <Search
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

interface SearchProps {
  readonly ref: RefObject<HTMLInputElement | null>;
  readonly chosen: readonly string[];
  readonly onAdd: (repo: string) => void;
}

/** Finds repos by part of their name. Offers the first ones immediately if no image is chosen. */
function Search({ ref, chosen, onAdd }: SearchProps): ReactNode {
  const id = useId();
  const [text, setText] = useState("");
  const { found, more, reading, none, error, retry } = useRepoSearch(text, chosen);
  const names = useAncestorNames(found);
  const { group } = useScope();
  const offered = text.trim() !== "" || chosen.length === 0;
  const add = (repo: string) => {
    setText("");
    setEntered(undefined);
    onAdd(repo);
    ref.current?.focus();
  };
  // Enter pressed before the names have loaded selects the first match once they have.
  const [entered, setEntered] = useState<string>();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || text.trim() === "") return;
    event.preventDefault();
    setEntered(text);
  };
  const [match] = entered === text ? found : [];
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- Enter takes effect when the matches arrive
    if (match) add(match.uid);
  });
  return (
    <div className={classes["search"]}>
      <label htmlFor={id} className={classes["label"]}>
        Add image
      </label>
      <input
        ref={ref}
        id={id}
        type="search"
        className={plainField}
        placeholder="Repo name"
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {error ? (
        <FailedPart title="Repos couldn't be loaded" error={error} onRetry={retry} />
      ) : offered ? (
        <ul className={classes["matches"]} aria-label="Matching repos">
          {found.map(({ uid, name }) => (
            <li key={uid}>
              <button type="button" className={classes["match"]} onClick={() => add(uid)}>
                <PlusIcon size={16} />
                <bdi>{name}</bdi>
              </button>
              <GroupPath places={ancestorsWithNames(uid, names)} below={group} oneLine />
            </li>
          ))}
          {found.length > 0 && more ? <li className={classes["quiet"]}>More repos match.</li> : null}
          {found.length === 0 ? (
            <li className={classes["quiet"]}>
              {reading
                ? "Loading…"
                : none
                  ? "No repos you can see in this scope."
                  : "No matching repos in this scope."}
            </li>
          ) : null}
        </ul>
      ) : null}
    </div>
  );
}
