import { serve } from "~/features/untrusted-text/serve";

import { readReview } from "./format";

serve(readReview);
