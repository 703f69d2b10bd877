import { Button, TextInput } from '@mantine/core';
import type { ChatbotDraft } from '@parley/contracts';
import { useState, type FormEvent } from 'react';
import { useText } from '../../../lib/text.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import form from '../../../ui/form.module.css';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { differing } from '../state/merge-drafts.ts';
import { nextNumber, usePublish } from '../state/queries.ts';
import { useWords } from '../state/use-words.ts';

/** With a note for whoever looks at the versions later. */
export function PublishDialog({ draft, onClose }: { draft: ChatbotDraft; onClose: () => void }) {
  const { t } = useText();
  const off = useActionOff();
  const toast = useToast();
  const { fieldNames } = useWords();
  const publish = usePublish();
  const [note, setNote] = useState('');
  const version = String(nextNumber(draft.published));
  const changed = draft.published ? differing(draft.published.content, draft.content) : [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (off || publish.isPending) return;
    publish.mutate(
      { chatbotId: draft.id, revision: draft.revision, note: note.trim() },
      {
        onSuccess: () => {
          toast({ text: t({ id: 'studio.publish.done', defaultMessage: 'Version {version} is live' }, { version }) });
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      title={t({ id: 'studio.publish.title', defaultMessage: 'Publish version {version}?' }, { version })}
      onClose={onClose}
    >
      <form className={form.form} onSubmit={submit}>
        <p className="p-sm p-quiet">
          {draft.published
            ? t(
                { id: 'studio.publish.changed', defaultMessage: 'What changes: {parts}.' },
                { parts: changed.map((field) => fieldNames[field]).join(', ') },
              )
            : t({ id: 'studio.publish.first', defaultMessage: 'From now on its audience can use it.' })}{' '}
          {t({
            id: 'studio.publish.about',
            defaultMessage: 'Open chats are answered by it from their next message on, and say so.',
          })}
        </p>
        <TextInput
          label={t({ id: 'studio.publish.note', defaultMessage: 'Note' })}
          placeholder={t({ id: 'studio.publish.notePlaceholder', defaultMessage: 'What is new, in a few words' })}
          value={note}
          maxLength={300}
          dir="auto"
          data-autofocus
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <ErrorNote error={publish.error} />
        <div className={form.ends}>
          <Button type="submit" loading={publish.isPending} {...off}>
            {t({ id: 'studio.publish.confirm', defaultMessage: 'Publish version {version}' }, { version })}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {t({ id: 'studio.publish.cancel', defaultMessage: 'Cancel' })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
