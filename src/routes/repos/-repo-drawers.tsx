import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, type ReactNode } from "react";

import type { Repo } from "~/contract/registry/repos";
import "~/kit/button-styles";
import { errorFacts } from "~/kit/error-facts";
import { Notice } from "~/kit/notice";

import { repoQuery } from "./-repo-queries";
import type { RepoDrawer } from "./-repo-search";

// Nobody needs these before they are asked for.
const RepoForm = lazy(() => import("./-repo-form").then((module) => ({ default: module.RepoForm })));
const DeleteRepo = lazy(() => import("./-delete-repo").then((module) => ({ default: module.DeleteRepo })));
const ReadmeForm = lazy(() => import("./-readme-form").then((module) => ({ default: module.ReadmeForm })));

interface RepoDrawersProps {
  /** What the address says is open. */
  readonly drawer: RepoDrawer | undefined;
  /** uid of the repo that it is about. */
  readonly item: string | undefined;
  /** The same repo as a list has it: enough to delete it, be it gone meanwhile. */
  readonly known?: Repo | undefined;
  /** uid of the group that a new one belongs to. */
  readonly scope?: string | undefined;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** The forms and questions about repos, each opened by the address (rule 5). */
export function RepoDrawers(props: RepoDrawersProps): ReactNode {
  const { drawer, item, known, scope, onClose, onDeleted } = props;
  if (drawer === undefined) return null;
  return (
    <Suspense fallback={null}>
      {drawer === "create" ? (
        <RepoForm scope={scope} onClose={onClose} />
      ) : item === undefined ? null : drawer === "readme" ? (
        <ReadmeForm key={item} uid={item} onClose={onClose} />
      ) : (
        <Existing key={item} uid={item} known={drawer === "delete" ? known : undefined} onClose={onClose}>
          {(repo) =>
            drawer === "edit" ? (
              <RepoForm repo={repo} onClose={onClose} />
            ) : (
              <DeleteRepo repo={repo} onClose={onClose} onDeleted={onDeleted} />
            )
          }
        </Existing>
      )}
    </Suspense>
  );
}

interface ExistingProps extends Pick<RepoDrawersProps, "known" | "onClose"> {
  readonly uid: string;
  readonly children: (repo: Repo) => ReactNode;
}

/** Reads the repo that a form begins with. A link may name one that no list has loaded, or that is gone. */
function Existing({ uid, known, onClose, children }: ExistingProps): ReactNode {
  const { data, error } = useQuery({ ...repoQuery(uid), enabled: known === undefined });
  const found = known ?? data;
  if (found) return children(found);
  if (!error) return null;
  const close = (
    <Button variant="default" onClick={onClose}>
      Close
    </Button>
  );
  return (
    <Notice tone="warning" role="alert" title="The repo could not be opened" actions={close}>
      {errorFacts(error).message}
    </Notice>
  );
}
