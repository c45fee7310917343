import { serve } from "~/features/untrusted-text/serve";

import { readSnapshot } from "./format";

serve(readSnapshot);
