import { serve } from "~/frame/untrusted-text/serve";

import { readManifest, type Source } from "./read";

serve((sources: readonly Source[]) => sources.map(readManifest));
