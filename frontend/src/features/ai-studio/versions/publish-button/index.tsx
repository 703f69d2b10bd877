import { Button } from '@mantine/core';
import type { ChatbotDraft } from '@parley/contracts';
import { useState } from 'react';
import { lazyPart } from '../../../../lib/lazy-part.tsx';
import { useRight } from '../../../../lib/tab-organisation.tsx';
import { useText } from '../../../../lib/text.ts';
import { offBecause, useActionOff } from '../../../../ui/stale.tsx';
import { useTests } from '../../state/queries.ts';
import type { DraftEditing } from '../../state/use-draft-editing.ts';
import classes from './publish-button.module.css';

const PublishDialog = lazyPart(async () => (await import('../publish-dialog.tsx')).PublishDialog);

/** Why the draft cannot be published now, in words; null where it can. */
export function useHindrance(draft: ChatbotDraft, editing: DraftEditing): string | null {
  const { t } = useText();
  const mayPublish = useRight('chatbot:publish');
  const { data: tests } = useTests(draft.id);
  if (!mayPublish) return t({ id: 'studio.publish.noRight', defaultMessage: 'publishing needs another right' });
  if (editing.isDirty || editing.conflict) return t({ id: 'studio.publish.unsaved', defaultMessage: 'saved first' });
  if (!draft.isChanged) return t({ id: 'studio.publish.same', defaultMessage: 'nothing has changed' });
  const least = tests?.gate?.least ?? 0;
  const passed = tests?.onDraft?.passed ?? 0;
  return passed >= least
    ? null
    : t(
        { id: 'studio.publish.gate', defaultMessage: 'needs {least} of {all} tests, {passed} pass' },
        { least: String(least), all: String(tests?.items.length ?? 0), passed: String(passed) },
      );
}

export function PublishButton({ draft, editing }: { draft: ChatbotDraft; editing: DraftEditing }) {
  const { t } = useText();
  const stale = useActionOff();
  const [isAsking, setAsking] = useState(false);
  const hindrance = useHindrance(draft, editing);
  const off = stale ?? (hindrance === null ? null : offBecause(hindrance));
  return (
    <>
      {hindrance === null || editing.isDirty ? null : <span className={`p-meta ${classes.reason}`}>{hindrance}</span>}
      <Button onClick={() => setAsking(true)} {...off}>
        {t({ id: 'studio.publish.button', defaultMessage: 'Publish' })}
      </Button>
      {isAsking ? <PublishDialog draft={draft} onClose={() => setAsking(false)} /> : null}
    </>
  );
}
