import { serve } from "~/frame/untrusted-text/serve";

import { readPastedText } from "./read";

serve(readPastedText);
