import { Button } from '@mantine/core';
import { useText } from '../../../../lib/text.ts';
import { Note } from '../../../../ui/note.tsx';
import type { Conflict, DraftEditing } from '../../state/use-draft-editing.ts';
import { Difference } from '../difference/index.tsx';
import classes from './conflict-note.module.css';

/** Two have changed the same part: the difference, and whose it is to be. Nothing is sent before that is decided. */
export function ConflictNote({ editing, conflict }: { editing: DraftEditing; conflict: Conflict }) {
  const { t, rich } = useText();
  const { theirs, fields } = conflict;
  const actions = (
    <>
      <Button variant="default" size="xs" onClick={() => editing.decide('theirs')}>
        {t({ id: 'studio.conflict.theirs', defaultMessage: 'Take theirs' })}
      </Button>
      <Button variant="default" size="xs" onClick={() => editing.decide('mine')}>
        {t({ id: 'studio.conflict.mine', defaultMessage: 'Keep mine' })}
      </Button>
    </>
  );
  return (
    <div className={classes.place}>
      <Note kind="warning" isAlert actions={actions}>
        {rich(
          {
            id: 'studio.conflict.text',
            defaultMessage:
              '{name} changed the same meanwhile. From theirs to yours it differs like this; yours is not saved yet.',
          },
          { name: <bdi key="name">{theirs.editedBy?.name ?? ''}</bdi> },
        )}
        <div className={classes.difference}>
          <Difference before={theirs.content} after={editing.content} fields={fields} />
        </div>
      </Note>
    </div>
  );
}
