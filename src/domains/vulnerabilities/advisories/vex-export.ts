import type { Advisory } from "platform-contract/vulnerabilities/advisories";
import { fileName, type FileFormat } from "~/frame/export/export-file";
import { saveAs } from "~/ui/display/save-as";
import type { MenuAction } from "~/ui/overlay/menu";

const load = () => import("./vex-files");
type Files = Awaited<ReturnType<typeof load>>;

const format = (
  label: string,
  extension: string,
  about: string,
  fileOf: (files: Files) => Files["openVexFile"],
): FileFormat<Advisory> => ({
  label,
  extension,
  about,
  write: async (rows, author) =>
    fileOf(await load())(rows, {
      author,
      id: crypto.randomUUID(),
      namespace: location.origin,
      now: new Date(),
    }),
});

/** The status of each advisory as a document that other tools read. */
export const VEX_FORMATS: readonly FileFormat<Advisory>[] = [
  format(
    "OpenVEX",
    "openvex.json",
    "An OpenVEX 0.2 document with a statement for each, by its newest approved event.",
    ({ openVexFile }) => openVexFile,
  ),
  format(
    "CSAF VEX",
    "csaf.json",
    "A CSAF 2.0 document of the profile VEX, with the status of each, by its newest approved event.",
    ({ csafFile }) => csafFile,
  ),
];

/** Menu entries that download some advisories. `name` is what they are about. */
export const vexActions = (advisories: readonly Advisory[], name: string): MenuAction[] =>
  VEX_FORMATS.map(({ label, extension, write }) => ({
    label: `Export ${label}`,
    onSelect: () =>
      void write(advisories, name).then((text) =>
        saveAs(
          fileName({ list: "vex", scope: name, partial: false, now: new Date() }, extension),
          text,
          "application/json",
        ),
      ),
  }));
