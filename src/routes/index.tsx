import { createFileRoute } from "@tanstack/react-router";

import { Overview } from "./-shell/overview";

export const Route = createFileRoute("/")({ component: Overview });
