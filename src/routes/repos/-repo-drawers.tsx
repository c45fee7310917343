import type { ReactNode } from "react";

import type { Repo } from "~/contract/registry/repos";
import { onDemand } from "~/kit/on-demand";
import { OpenedRecord, type DrawersProps } from "~/parts/opened-record";

import { repoQuery } from "./-repo-queries";
import type { RepoDrawer } from "./-repo-search";

// Nobody needs these before they are asked for.
const RepoForm = onDemand(async () => (await import("./-repo-form")).RepoForm);
const DeleteRepo = onDemand(async () => (await import("./-delete-repo")).DeleteRepo);
const ReadmeForm = onDemand(async () => (await import("./-readme-form")).ReadmeForm);

interface RepoDrawersProps extends DrawersProps<RepoDrawer, Repo> {
  /** uid of the group that a new one belongs to. */
  readonly scope?: string | undefined;
}

/** The forms and questions about repos, each opened by the address. */
export function RepoDrawers({ drawer, item, known, scope, onClose, onDeleted }: RepoDrawersProps): ReactNode {
  if (drawer === undefined) return null;
  if (drawer === "create") return <RepoForm scope={scope} onClose={onClose} />;
  if (drawer === "readme") return item && <ReadmeForm key={item} uid={item} onClose={onClose} />;
  const deletes = drawer === "delete";
  return (
    <OpenedRecord
      noun="repo"
      uid={item}
      query={repoQuery}
      known={deletes ? known : undefined}
      onClose={onClose}
    >
      {(repo) =>
        deletes ? (
          <DeleteRepo repo={repo} onClose={onClose} onDeleted={() => onDeleted(repo.uid)} />
        ) : (
          <RepoForm repo={repo} onClose={onClose} />
        )
      }
    </OpenedRecord>
  );
}
