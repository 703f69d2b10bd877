import type { Document } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import table from '../../../ui/table.module.css';
import classes from './documents.module.css';
import { useAttachmentFlaws } from '../../../domain/document/failure-reasons.ts';

/** How many attachments of a mail were not read; opened, which ones, why, and what to do. */
export function UnreadAttachments({ all }: { all: Document['unreadAttachments'] }) {
  const { t } = useText();
  const flaws = useAttachmentFlaws();
  return (
    <details className={`${table.second} ${classes.reason}`}>
      <summary>
        {t(
          {
            id: 'documents.state.unread',
            defaultMessage: '{count, plural, one {# attachment was not read} other {# attachments were not read}}',
          },
          { count: all.length },
        )}
      </summary>
      <ul className={classes.unread}>
        {all.map(({ name, flaw }, at) => (
          // Two may have one name.
          <li key={`${at} ${name}`}>
            <bdi>{name}</bdi>: {flaws[flaw]}
          </li>
        ))}
      </ul>
    </details>
  );
}
