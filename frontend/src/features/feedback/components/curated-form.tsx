import { Button, NativeSelect, Textarea } from '@mantine/core';
import type { ChatbotId, CuratedAnswer, FeedbackId } from '@parley/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, isProblem } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useChatbots } from '../../../domain/chatbot/use-chatbots.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { FormFailureNote } from '../../../ui/form-failure.tsx';
import form from '../../../ui/form.module.css';
import { useActionOff } from '../../../ui/stale.tsx';
import classes from '../feedback.module.css';

const mostQuestions = 5;
const longestText = 8_000;
const linesOf = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || []);

type Start = { question: string; chatbotId: ChatbotId | null; feedbackId: FeedbackId | null };
type Props = {
  /** Null for a new one. */
  answer: CuratedAnswer | null;
  start?: Start;
  onClose: () => void;
};

/** What is said word for word, and to which questions. */
export function CuratedForm({ answer, start, onClose }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const chatbots = useChatbotChoices(answer?.chatbotId ?? start?.chatbotId ?? null);
  const { fields, submit, failure, isBusy, theirs } = useSave(answer, start, onClose);
  return (
    <form className={form.form} noValidate onSubmit={submit}>
      <Textarea
        data-first
        name="questions"
        label={t({ id: 'feedback.curated.questions', defaultMessage: 'Questions that it answers' })}
        description={t({
          id: 'feedback.curated.questionsAbout',
          defaultMessage:
            'One in each line, five at most: as people would ask. It is found when a question is close to one of them.',
        })}
        autosize
        minRows={2}
        maxRows={8}
        dir="auto"
        {...fields.getInputProps('questions')}
      />
      <Textarea
        name="text"
        label={t({ id: 'feedback.curated.text', defaultMessage: 'Answer' })}
        description={t({
          id: 'feedback.curated.textAbout',
          defaultMessage: 'Said word for word, with your name and the date as its source. Markdown is drawn.',
        })}
        autosize
        minRows={4}
        maxRows={16}
        maxLength={longestText}
        dir="auto"
        {...fields.getInputProps('text')}
      />
      <NativeSelect
        name="chatbotId"
        label={t({ id: 'feedback.curated.chatbot', defaultMessage: 'Said by' })}
        data={[
          { value: '', label: t({ id: 'feedback.curated.everyChatbot', defaultMessage: 'every chatbot' }) },
          ...chatbots,
        ]}
        {...fields.getInputProps('chatbotId')}
      />
      {answer ? (
        <label className={classes.check}>
          <input type="checkbox" {...fields.getInputProps('isActive', { type: 'checkbox' })} />
          {t({ id: 'feedback.curated.active', defaultMessage: 'It is found' })}
        </label>
      ) : null}
      <FormFailureNote failure={failure}>
        {theirs ? (
          <p className={classes.words} dir="auto">
            {theirs.text}
          </p>
        ) : null}
      </FormFailureNote>
      <div className={form.ends}>
        <Button type="submit" loading={isBusy} {...off}>
          {t({ id: 'feedback.curated.save', defaultMessage: 'Save curated answer' })}
        </Button>
        <Button variant="subtle" onClick={onClose}>
          {t({ id: 'feedback.curated.cancel', defaultMessage: 'Cancel' })}
        </Button>
      </div>
    </form>
  );
}

function useSave(answer: CuratedAnswer | null, start: Start | undefined, onClose: () => void) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const [id] = useState(() => newId('curatedAnswer'));
  const [revision, setRevision] = useState(answer?.revision ?? 0);
  /** What somebody else has saved meanwhile. */
  const [theirs, setTheirs] = useState<CuratedAnswer | null>(null);
  const { fields, submit, failure, isBusy } = useServerForm({
    initialValues: {
      questions: answer?.questions.join('\n') ?? linesOf(start?.question ?? '').join(' '),
      text: answer?.text ?? '',
      chatbotId: (answer ? answer.chatbotId : start?.chatbotId) ?? '',
      isActive: answer?.isActive ?? true,
    },
    validate: {
      questions: (value) => {
        const lines = linesOf(value);
        return lines.length > 0 && lines.length <= mostQuestions && lines.every((line) => line.length >= 3)
          ? null
          : t({
              id: 'feedback.curated.questionsWrong',
              defaultMessage: 'Write one to five questions, each in a line.',
            });
      },
      text: (value) =>
        value.trim() === ''
          ? t({ id: 'feedback.curated.textMissing', defaultMessage: 'Write what is to be said.' })
          : null,
    },
    send: ({ questions, text, chatbotId, isActive }) => {
      const said = {
        questions: linesOf(questions),
        text: text.trim(),
        chatbotId: chatbotId === '' ? null : (chatbotId as ChatbotId),
      };
      return answer
        ? api('PUT /api/chat/curated-answers/:curatedAnswerId', {
            orgId,
            params: { curatedAnswerId: answer.id },
            body: { revision, ...said, isActive },
          })
        : api('POST /api/chat/curated-answers', {
            orgId,
            body: { id, ...said, ...(start?.feedbackId && { feedbackId: start.feedbackId }) },
            retries: 2,
          });
    },
    onSent: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: resourceKey('curated-answers', orgId) }),
        ...(start?.feedbackId ? [client.invalidateQueries({ queryKey: resourceKey('feedback', orgId) })] : []),
      ]);
      onClose();
    },
    onRefused: (error) => {
      if (!isProblem(error, 'platform.conflict') || !error.problem.current) return;
      const current = error.problem.current as CuratedAnswer;
      setTheirs(current);
      setRevision(current.revision);
    },
  });
  return { fields, submit, failure, isBusy, theirs };
}

/** Those that I may use, and the one that it is of. */
function useChatbotChoices(current: ChatbotId | null) {
  const { t } = useText();
  const { data } = useChatbots();
  const offered = (data?.items ?? []).map(({ id, name }) => ({ value: id as string, label: name }));
  if (current === null || offered.some(({ value }) => value === current)) return offered;
  return [
    ...offered,
    {
      value: current as string,
      label: t({ id: 'feedback.curated.thisChatbot', defaultMessage: 'the chatbot of this case' }),
    },
  ];
}
