import { serve } from "~/features/untrusted-text/serve";

import { readPastedText } from "./read";

serve(readPastedText);
