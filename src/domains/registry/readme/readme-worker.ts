import { serve } from "~/frame/untrusted-text/serve";
import type { ReadmeRequest } from "./format-readme";
import { parseReadme } from "./readme-parse";

serve(({ content, prefix }: ReadmeRequest) => parseReadme(content, prefix));
