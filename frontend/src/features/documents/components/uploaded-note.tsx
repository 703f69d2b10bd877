import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { usePaths } from '../../../lib/paths.ts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { Note } from '../../../ui/note.tsx';
import classes from './documents.module.css';

/** After uploads: what they are for, and the way there. */
export function UploadedNote({ count }: { count: number }) {
  const { t } = useText();
  const paths = usePaths();
  if (!useRight('chat:create')) return null;
  return (
    <div className={classes.uploaded}>
      <Note
        kind="success"
        actions={
          <Button size="xs" variant="default" component={Link} to={paths.to('chat')}>
            {t(
              {
                id: 'documents.uploaded.ask',
                defaultMessage: '{count, plural, one {Ask about this document} other {Ask about these documents}}',
              },
              { count },
            )}
          </Button>
        }
      >
        {t(
          {
            id: 'documents.uploaded.text',
            defaultMessage:
              '{count, plural, one {The document is uploaded. Answers cite it as soon as it is searchable.} other {# documents are uploaded. Answers cite them as soon as they are searchable.}}',
          },
          { count },
        )}
      </Note>
    </div>
  );
}
