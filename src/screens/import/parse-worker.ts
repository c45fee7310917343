import { serve } from "~/features/untrusted-text/serve";

import { parseTable, type TableRequest } from "./parse";

serve(({ text, headers }: TableRequest) => parseTable(text, headers));
