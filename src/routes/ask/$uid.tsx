import { createFileRoute } from "@tanstack/react-router";

import { AskPage } from "~/screens/access-requests/page";

export const Route = createFileRoute("/ask/$uid")({ component: AskPage });
