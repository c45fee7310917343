import { useQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { rootOf } from "platform-contract/aip";
import { useGroup, usePath } from "~/frame/scope/group-ancestry";
import { CopyButton } from "~/ui/display/copy-button";
import { Notice } from "~/ui/feedback/notice";

import { atHost, repoPath } from "./pull-reference";
import { readReference, sameHost, textOf } from "./reference-text";
import { namespaceIn } from "./references";
import { repoNameQuery } from "./repo-names";

export interface RefusedReferenceProps {
  /** What a client was refused: `registry.example/acme/python:3`. */
  readonly text: string;
  /** uid of the repo that it is taken for. */
  readonly repo: string;
}

/** Says what is wrong with the address of a refused image, and which one its repo has; nothing if it is right. */
export function RefusedReference({ text, repo }: RefusedReferenceProps): ReactNode {
  const { registryHost } = useRouteContext({ from: "__root__" }).config;
  const organization = rootOf(repo);
  const { group } = useGroup(organization);
  const { steps } = usePath(repo);
  const { data } = useQuery(repoNameQuery(repo));
  const refused = readReference(text);
  const name = data?.name;
  const path =
    name === undefined
      ? undefined
      : repoPath(group?.name ?? "", name, group?.namespace ?? namespaceIn(steps));
  if (!refused || path === undefined) return null;
  const wrong = [
    ...(refused.host !== undefined && registryHost !== undefined && !sameHost(refused.host, registryHost)
      ? [`${refused.host} isn\u2019t this registry (${registryHost})`]
      : []),
    ...(refused.path.join("/") === path
      ? []
      : [`the path of this repo is ${path}, not ${refused.path.join("/")}`]),
  ];
  if (wrong.length === 0) return null;
  const own = textOf({ ...refused, host: undefined, path: [path] });
  const right = registryHost === undefined ? own : atHost(registryHost, own);
  return (
    <Notice tone="warning" title="The refused address isn’t this repo’s">
      No role helps there: {wrong.join(", and ")}. The address of this repo: <code dir="ltr">{right}</code>{" "}
      <CopyButton value={right} what="reference" />
    </Notice>
  );
}
