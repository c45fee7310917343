import { serve } from "~/frame/untrusted-text/serve";

import { readReview } from "./format";

serve(readReview);
