import type { ReactNode } from "react";

import { FilterGroup, FilterToggle } from "~/ui/controls/filter-toggle";
import { FilterBar, FilterSelect, FilterText } from "~/ui/controls/filters";
import { DepthFilter } from "~/resource/depth-filter";
import type { Scope } from "~/features/scope/scope";
import type { ViewChange } from "~/resource/use-view";

import { isExact, KINDS, kindsOf, NO_FILTERS, type TagListSearch } from "./search";
import classes from "./tags.module.css";

interface TagFiltersProps {
  readonly search: TagListSearch;
  readonly scope: Scope;
  readonly onChange: (change: ViewChange<TagListSearch>) => void;
  /** What every list offers, at the end of the bar. */
  readonly children: ReactNode;
}

const ANY = { value: "", label: "any" };
const LABELS = { dates: "dated", epochs: "epochs", referrers: "referrers" };

const isDigest = (text: string | undefined): boolean => text?.startsWith("sha256:") ?? false;

/** What narrows the list: by the service where it can, else by reading all of it. */
export function TagFilters({ search, scope, onChange, children }: TagFiltersProps): ReactNode {
  const { repo, name, contains, digest, deprecated, since, order = "", by } = search;
  const shown = kindsOf(search);
  const fixed = isExact(search)
    ? "What is exact is looked for among tags of every kind"
    : deprecated === undefined
      ? undefined
      : "Counted in, so that no tag of that state is left out";
  return (
    <div className={classes["filters"]}>
      <FilterBar search={search} none={NO_FILTERS} onChange={onChange} tools={children}>
        <FilterSelect
          label="State"
          value={deprecated}
          options={[ANY, { value: "yes", label: "deprecated" }, { value: "no", label: "active" }]}
          onChange={(value) => onChange({ deprecated: value as TagListSearch["deprecated"] })}
        />
        <FilterText
          label="Name contains"
          value={contains}
          onApply={(value) => onChange({ contains: value })}
        />
        <FilterText
          label="Exact name or digest"
          value={digest ?? name}
          onApply={(value) =>
            onChange(
              isDigest(value) ? { digest: value, name: undefined } : { name: value, digest: undefined },
            )
          }
        />
        <FilterText
          label="Updated since"
          type="date"
          value={since}
          onApply={(value) => onChange({ since: value })}
        />
        {repo === undefined ? <DepthFilter scope={scope} onChange={onChange} /> : null}
        <FilterSelect
          label="Version order"
          value={order.startsWith("version") ? order : ""}
          options={[
            { value: "", label: "off" },
            { value: "version desc", label: "newest first" },
            { value: "version", label: "oldest first" },
          ]}
          onChange={(value) => onChange({ order: value })}
        />
        <FilterToggle
          label="Group by digest"
          checked={by === "digest"}
          onChange={(checked) => onChange({ by: checked ? "digest" : undefined })}
        />
        <FilterGroup label="Hidden unless chosen">
          {KINDS.map((kind) => (
            <FilterToggle
              key={kind}
              label={LABELS[kind]}
              checked={shown.includes(kind)}
              onChange={(checked) => onChange({ [kind]: checked ? "yes" : undefined })}
              fixed={shown.includes(kind) && search[kind] === undefined ? fixed : undefined}
            />
          ))}
        </FilterGroup>
      </FilterBar>
      {deprecated === undefined ? null : (
        <p className={classes["note"]}>
          Deprecated tags are past their end of life. The dates of that are told by v1 of the API alone.
        </p>
      )}
    </div>
  );
}
