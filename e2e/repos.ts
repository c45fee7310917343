import type { Repo } from "platform-contract/registry/repos";

import type { Owner } from "./fixtures";

/** Creates a repo, directly in the person's organization unless `parent` is given. */
export const makeRepo = (
  { api, organization }: Owner,
  body: object,
  parent = organization.uid,
): Promise<Repo> => api.post<Repo>(`/registry/v2/repos/${parent}`, body);

export const writeReadme = ({ api }: Pick<Owner, "api">, uid: string, content: string) =>
  api.patch(`/registry/v2/repos/${uid}/readme`, { content });
