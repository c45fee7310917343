import {
  BookOpenIcon,
  BotIcon,
  Building2Icon,
  FolderIcon,
  KeyRoundIcon,
  PackageIcon,
  TagIcon,
  UserIcon,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";

import { useCleanAddress } from "~/frame/clean-address";
import { TOPICS } from "~/frame/help/topics";
import { useTitle } from "~/frame/scope/title";
import { capitalize } from "~/ui/display/capitalize";
import { Section } from "~/ui/display/section";
import { Page, PageHeader } from "~/ui/layout/page";

import styles from "./concepts.module.css";

interface Leaf {
  readonly icon: LucideIcon;
  readonly name: string;
  readonly note: string;
  readonly inside?: readonly Leaf[];
}

/** An example of a tree, with what belongs where. */
const EXAMPLE: readonly Leaf[] = [
  {
    icon: Building2Icon,
    name: "acme",
    note: "An organization",
    inside: [
      { icon: UserIcon, name: "Ada", note: "A person" },
      {
        icon: KeyRoundIcon,
        name: "Ada, viewer",
        note: "A role binding here: she can view acme and all of its folders",
      },
      {
        icon: FolderIcon,
        name: "payments",
        note: "A folder",
        inside: [
          {
            icon: BotIcon,
            name: "ci-payments",
            note: "An identity: a CI job that signs in with its own token",
          },
          {
            icon: KeyRoundIcon,
            name: "ci-payments, registry.pull",
            note: "A role binding here: it can pull in payments and below, and nowhere else",
          },
          {
            icon: PackageIcon,
            name: "api",
            note: "A repo: the images of one name",
            inside: [{ icon: TagIcon, name: "1.4", note: "A tag: a name for one image" }],
          },
        ],
      },
    ],
  },
];

const Leaves = ({ of }: { readonly of: readonly Leaf[] }): ReactNode => (
  <ul className={styles["leaves"]}>
    {of.map(({ icon: Icon, name, note, inside }) => (
      <li key={name}>
        <div className={styles["leaf"]}>
          <Icon size={16} />
          <span className={styles["name"]}>{name}</span>
          <span className={styles["note"]}>{note}</span>
        </div>
        {inside ? <Leaves of={inside} /> : null}
      </li>
    ))}
  </ul>
);

/** What organizations, folders, identities, roles and role bindings are and how they fit together, with a picture. */
export function ConceptsPage(): ReactNode {
  useCleanAddress(Object);
  useTitle("How it fits together");
  return (
    <Page>
      <PageHeader
        title="How it fits together"
        icon={BookOpenIcon}
        description="Organizations, folders, identities, roles and role bindings, by an example."
      />
      <div className={styles["example"]}>
        <Leaves of={EXAMPLE} />
      </div>
      {Object.entries(TOPICS).map(([topic, sentences]) => (
        <div key={topic} id={topic} className={styles["topic"]}>
          <Section title={capitalize(topic)}>
            {sentences.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </Section>
        </div>
      ))}
    </Page>
  );
}
