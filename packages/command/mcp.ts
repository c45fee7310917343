export { serve } from "./mcp/serve";
