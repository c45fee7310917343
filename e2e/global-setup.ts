import { makeDataDirectory, removeDataDirectory, startBuiltService } from "./service";

/** What the workers read: the base address of the console, with a trailing slash. */
export default async function setUp(): Promise<(() => Promise<void>) | void> {
  const given = process.env["BASE_URL"];
  if (given) {
    process.env["BASE_URL"] = given.replace(/\/*$/, "/");
    return undefined;
  }
  const [prepared, directory] = await Promise.all([makeDataDirectory(), makeDataDirectory()]);
  const [first, service] = await Promise.all([startBuiltService(prepared), startBuiltService(directory)]);
  await first.stop();
  process.env["PREPARED_DATA"] = prepared;
  process.env["BASE_URL"] = `${service.url}/`;
  process.env["OWN_SERVICE"] = "1";
  return async () => {
    await service.stop();
    await removeDataDirectory(directory);
    await removeDataDirectory(prepared);
  };
}
