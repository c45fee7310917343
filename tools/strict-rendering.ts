import { configure } from "@testing-library/react";

// As the console's own `StrictMode`: effects begin, end and begin again, which finds those that do not begin again.
configure({ reactStrictMode: true });
