import { expect, test } from "vitest";

import { createLog } from "./log";
import { start } from "./start";
import { startService } from "./testing/service";

test("a data directory in use is refused, and its port given back", async () => {
  const service = await startService();
  const second = start(
    { PORT: "0", DATA_DIR: service.config.dataDir },
    { log: createLog("silent"), consoleDirectory: "/nonexistent/dist" },
  );
  await expect(second).rejects.toThrow(`is in use by process ${process.pid}`);
  await service.stop();
});
