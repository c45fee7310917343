import { bitbucket, buildkite, circleci, githubEnterprise, gitlab, jenkins } from "./ci-presets";
import { aws, azure, google, kubernetes } from "./cloud-presets";
import type { Preset } from "./preset";

/** In the order of the form. */
export const PRESETS: readonly Preset[] = [
  gitlab,
  githubEnterprise,
  kubernetes,
  aws,
  azure,
  google,
  bitbucket,
  buildkite,
  jenkins,
  circleci,
];

export const presetOf = (value: string): Preset | undefined => PRESETS.find((each) => each.value === value);
