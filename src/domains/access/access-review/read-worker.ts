import { serve } from "~/frame/untrusted-text/serve";

import { readReview } from "./file";

serve(readReview);
