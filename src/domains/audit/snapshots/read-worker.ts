import { serve } from "~/frame/untrusted-text/serve";

import { readSnapshot } from "./format";

serve(readSnapshot);
