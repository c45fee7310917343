import { Button, TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent, type ReactNode } from "react";

import { call } from "~/api/client/client";
import type { QueryFacts } from "~/api/client/request-info";
import { getNoticeSettings, NOTICE_TOPICS, updateNoticeSettings } from "platform-contract/iam/notices";
import "~/ui/controls/button-styles";
import { Check } from "~/ui/controls/check";
import { asSentence } from "~/ui/display/as-sentence";
import { errorFacts } from "~/ui/feedback/error-facts";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { toast } from "~/ui/feedback/toast-store";
import { typedTime, wireTime } from "~/ui/form/date-time";

import { TOPIC_LABELS } from "./topics";
import classes from "./styles.module.css";

const settingsQuery = {
  queryKey: [getNoticeSettings.collection, getNoticeSettings.verb],
  meta: { requests: () => [{ endpoint: getNoticeSettings }] } satisfies QueryFacts,
  queryFn: ({ signal }: { signal: AbortSignal }) => call(getNoticeSettings, { signal }),
};

interface MailSettingsProps {
  /** Address of the pages about one's account, if they are this service's. */
  readonly accountPages: string | undefined;
}

type Settings = Awaited<ReturnType<typeof settingsQuery.queryFn>>;

/** What the user wants mail about before it ends, and until when they want none. */
export function MailSettings(props: MailSettingsProps): ReactNode {
  const { data, error, refetch } = useQuery(settingsQuery);
  if (error && !data) return <FailedPart title="They couldn't be loaded" error={error} onRetry={refetch} />;
  if (!data) return <p role="status">Loading…</p>;
  return (
    <>
      <p className={classes["quiet"]}>
        <WhereTo of={data} {...props} />
      </p>
      <Form settings={data} />
    </>
  );
}

/** Where mail goes, or why there is none. */
function WhereTo({ of, accountPages }: MailSettingsProps & { readonly of: Settings }): ReactNode {
  const { email, sendsMail = false } = of;
  if (!sendsMail)
    return "This service sends no mail about what ends. What you choose here counts if that changes.";
  if (email !== undefined)
    return (
      <>
        Mail goes to <bdi>{email}</bdi>, at most one a day.
      </>
    );
  return (
    <>
      You get no mail yet: it goes only to a confirmed address, and you have none.
      {accountPages === undefined ? null : (
        <>
          {" "}
          <a href={`${accountPages}/email`}>Confirm your address</a>
        </>
      )}
    </>
  );
}

/** The first moment of a day, in the zone in which the user reads times; "" if none. */
const startOf = (day: string): string => (day === "" ? "" : wireTime(`${day}T00:00`));
const dayOf = (time: string): string => typedTime(time).slice(0, 10);

function Form({ settings }: { readonly settings: Settings }): ReactNode {
  const client = useQueryClient();
  const [muted, setMuted] = useState<readonly string[]>(settings.mutedTopics ?? []);
  const [day, setDay] = useState(dayOf(settings.pauseEndTime ?? ""));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      // A day that was not changed keeps its time; topics of a later version stay as they are.
      const pauseEndTime = day === dayOf(settings.pauseEndTime ?? "") ? settings.pauseEndTime : startOf(day);
      return call(updateNoticeSettings, {
        body: {
          mutedTopics: [...muted] as (typeof NOTICE_TOPICS)[number][],
          ...(pauseEndTime && { pauseEndTime }),
        },
      });
    },
    onSuccess: (saved) => {
      client.setQueryData(settingsQuery.queryKey, saved);
      toast("Saved what you get mail about");
    },
  });
  const facts = error ? errorFacts(error) : undefined;
  const problemOf = (field: string): string | undefined => {
    const found = facts?.violations.find((one) => one.field === field || one.field.startsWith(`${field}[`));
    return found && asSentence(found.description);
  };
  const [topics, pause] = [problemOf("mutedTopics"), problemOf("pauseEndTime")];
  const toggle = (topic: string, wanted: boolean) =>
    setMuted((before) => [...before.filter((one) => one !== topic), ...(wanted ? [] : [topic])]);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  return (
    <form onSubmit={save} className={classes["form"]} noValidate>
      <fieldset className={classes["topics"]}>
        <legend>Mail me about</legend>
        {NOTICE_TOPICS.map((topic) => (
          <Check
            key={topic}
            label={TOPIC_LABELS[topic]}
            checked={!muted.includes(topic)}
            onChange={(wanted) => toggle(topic, wanted)}
          />
        ))}
        {topics === undefined ? null : <p className={classes["problem"]}>{topics}</p>}
      </fieldset>
      <TextInput
        type="date"
        label="No mail until"
        description="Mail starts again on that day. Optional."
        value={day}
        error={pause}
        max="9999-12-31"
        onChange={({ currentTarget }) => setDay(currentTarget.value)}
      />
      {facts && topics === undefined && pause === undefined ? (
        <Notice tone="danger" role="alert" title="They weren't saved">
          {facts.message}
        </Notice>
      ) : null}
      <div>
        <Button type="submit" variant="default" loading={isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
