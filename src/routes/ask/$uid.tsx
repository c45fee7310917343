import { createFileRoute } from "@tanstack/react-router";

import { AskPage } from "~/domains/access/access-requests/page";

export const Route = createFileRoute("/ask/$uid")({ component: AskPage });
