import type { ReactNode } from "react";

import type { Repo } from "platform-contract/registry/repos";
import { Drawers, type DrawersProps } from "~/frame/form/drawers";

import { repoScreens } from "./data";
import { RepoForm } from "./form";
import { ReadmeForm } from "./readme-form";

export { RepoActs } from "./acts";

export function RepoDrawers(props: DrawersProps<Repo>): ReactNode {
  const { drawer, item, onClose } = props;
  if (drawer === "readme") return item && <ReadmeForm key={item} uid={item} onClose={onClose} />;
  return <Drawers {...props} of={repoScreens} form={RepoForm} />;
}
