import { serve } from "~/frame/untrusted-text/serve";

import { parseTable, type TableRequest } from "./parse";

serve(({ text, headers }: TableRequest) => parseTable(text, headers));
