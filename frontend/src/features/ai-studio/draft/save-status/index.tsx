import type { ChatbotDraft } from '@parley/contracts';
import { Check } from 'lucide-react';
import { useFormats } from '../../../../lib/formats.ts';
import { useProblemText } from '../../../../lib/problem-texts.ts';
import { useTab } from '../../../../lib/tab-organisation.tsx';
import { useText } from '../../../../lib/text.ts';
import { StatusShape } from '../../../../ui/status-shape.tsx';
import { useActionOff } from '../../../../ui/stale.tsx';
import type { DraftEditing } from '../../state/use-draft-editing.ts';
import classes from './save-status.module.css';

/** Whether the server has what is seen here, and the way back of the last change. */
export function SaveStatus({ draft, editing }: { draft: ChatbotDraft; editing: DraftEditing }) {
  const { t } = useText();
  const { state, conflict, isDirty } = editing;
  const describe = useProblemText();
  const off = useActionOff();
  if (conflict)
    return (
      <Status kind="warning">{t({ id: 'studio.save.conflict', defaultMessage: 'Not saved: decide first' })}</Status>
    );
  if (state.kind === 'failed')
    return (
      <Status kind="bad" title={describe(state.error).text}>
        {t({ id: 'studio.save.failed', defaultMessage: 'Not saved' })}
        <button type="button" className="p-link" onClick={editing.again}>
          {t({ id: 'studio.save.again', defaultMessage: 'Save again' })}
        </button>
      </Status>
    );
  if (state.kind === 'invalid')
    return (
      <Status kind="warning">{t({ id: 'studio.save.invalid', defaultMessage: 'Not saved: see the field' })}</Status>
    );
  if (isDirty)
    return (
      <Status kind={off ? 'off' : 'running'}>
        {off
          ? t({ id: 'studio.save.later', defaultMessage: 'Kept in this browser' })
          : t({ id: 'studio.save.saving', defaultMessage: 'Saving' })}
      </Status>
    );
  if (state.kind === 'saved' && state.undo) return <Saved editing={editing} undo={state.undo} />;
  return <Edited draft={draft} />;
}

type Kind = 'warning' | 'bad' | 'running' | 'off';

function Status({ kind, title, children }: { kind: Kind; title?: string; children: React.ReactNode }) {
  return (
    <output className={`p-meta ${classes.status}`} title={title}>
      <StatusShape kind={kind} />
      {children}
    </output>
  );
}

function Saved({ editing, undo }: { editing: DraftEditing; undo: NonNullable<DraftEditing['content']> }) {
  const { t } = useText();
  return (
    <output className={`p-meta ${classes.status}`}>
      <Check size={14} className={classes.check} />
      {t({ id: 'studio.save.saved', defaultMessage: 'Saved' })}
      <span aria-hidden="true">·</span>
      <button type="button" className="p-link" onClick={() => editing.change(undo)}>
        {t({ id: 'studio.save.undo', defaultMessage: 'Undo' })}
      </button>
    </output>
  );
}

/** Who has written it last, where that was somebody else. */
function Edited({ draft: { editedAt, editedBy } }: { draft: ChatbotDraft }) {
  const { rich } = useText();
  const { ago, exact } = useFormats();
  const { me } = useTab();
  if (!editedAt || !editedBy || editedBy.userId === me.id) return null;
  return (
    <output className={`p-meta ${classes.status}`} title={exact(editedAt)}>
      {rich(
        { id: 'studio.save.other', defaultMessage: '{name} edited it {when}' },
        { name: <bdi key="name">{editedBy.name}</bdi>, when: ago(editedAt) },
      )}
    </output>
  );
}
