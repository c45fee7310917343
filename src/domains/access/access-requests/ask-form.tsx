import { Button, NativeSelect, Textarea, TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent, type ReactNode } from "react";

import { call } from "~/api/client/client";
import { requestGroupAccess } from "platform-contract/iam/access-requests";
import "~/ui/controls/button-styles";
import { useRoleChoice } from "~/domains/access/grants/roles";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";

import { OWN } from "./keys";
import { withAsked } from "./last-day";
import { groupIn } from "./links";
import classes from "./styles.module.css";

/** Characters of a message, by the service. */
const MESSAGE_MAX = 500;

interface AskFormProps {
  readonly group?: string;
  /** What the person wants to do there: "push images". */
  readonly act?: string | undefined;
}

/** Asks for access to a group; without one, the person pastes a link to it. Keeps the text if it fails. */
export function AskForm({ group, act }: AskFormProps): ReactNode {
  const client = useQueryClient();
  const [link, setLink] = useState("");
  const [message, setMessage] = useState(act === undefined ? "" : `I need to ${act}.`);
  const [until, setUntil] = useState("");
  const [problem, setProblem] = useState<string>();
  const [role, setRole] = useState("");
  const { roles } = useRoleChoice(group ?? "");
  // Roles of one name are one choice: the message has the name alone.
  const names = [...new Set(roles.map(({ name }) => name))];
  const named = { role, day: until };
  const text = withAsked(message, named);
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: (uid: string) =>
      call(requestGroupAccess, {
        path: { uid },
        body: text === "" ? {} : { message: text },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: OWN }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const uid = group ?? groupIn(link);
    setProblem(uid === undefined ? "Paste a link to the organization or folder, or its uid" : undefined);
    if (uid !== undefined && !isPending) mutate(uid);
  };
  if (isSuccess)
    return (
      <Notice tone="success" role="status" title="Request sent">
        {group === undefined ? "If that organization or folder exists, the" : "The"} people who can grant
        access there see your request. Their answer appears here.
      </Notice>
    );
  const asked = error && "code" in error && error.code === "RESOURCE_EXHAUSTED";
  return (
    <form className={classes["form"]} onSubmit={submit} noValidate>
      {group === undefined ? (
        <TextInput
          label="Link or uid"
          description="Of the organization or folder, from a colleague who has access."
          value={link}
          onChange={(event) => setLink(event.currentTarget.value)}
          error={problem}
          autoComplete="off"
          spellCheck={false}
        />
      ) : null}
      <Textarea
        label="Message"
        description={`Tell the approvers what you need to do${names.length > 0 ? "" : ", and with which role if you know"}. Optional.`}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
        maxLength={MESSAGE_MAX - withAsked("", { role, day: "0000-00-00" }).length - 2}
        rows={2}
        dir="auto"
      />
      {names.length > 0 ? (
        <NativeSelect
          label="Role"
          description="Added to your message. The approver can choose another role. Optional."
          data={[{ value: "", label: "Not named" }, ...names]}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value)}
          className={classes["until"]}
        />
      ) : null}
      <TextInput
        type="date"
        label="Until"
        description="The last day you need it. Added to your message. Optional."
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
        className={classes["until"]}
      />
      {error ? (
        <Notice tone="danger" role="alert" title="The request wasn't sent">
          {asked ? "You already asked for this. You can ask again after a day." : errorFacts(error).message}
        </Notice>
      ) : null}
      <div>
        <Button type="submit" loading={isPending}>
          Ask for access
        </Button>
      </div>
    </form>
  );
}
