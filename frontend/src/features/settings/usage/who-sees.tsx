import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ListEdge } from '../../../ui/list-edge.tsx';
import classes from './usage.module.css';

/** Who can see one's usage, and who has asked for the name behind the pseudonym. */
export function WhoSees() {
  const { t } = useText();
  const { exact } = useFormats();
  const list = useList('GET /api/monitoring/my-name-reveals');
  const title = t({ id: 'settings.usage.whoSees', defaultMessage: 'Who sees this' });
  return (
    <section aria-label={title} className={classes.sidePart}>
      <h3 className="p-h3">{title}</h3>
      <p className="p-sm p-quiet">
        {t({
          id: 'settings.usage.whoSeesText',
          defaultMessage:
            'You, and people who can see what each person has cost. User monitoring shows you under a pseudonym. Neither shows your chats.',
        })}
      </p>
      {list.error ? (
        <p className="p-sm">
          {t({
            id: 'settings.usage.revealsFailed',
            defaultMessage: 'Who has asked for your name could not be loaded.',
          })}{' '}
          <button type="button" className="p-link" onClick={list.retry}>
            {t({ id: 'state.failure.retry', defaultMessage: 'Try again' })}
          </button>
        </p>
      ) : null}
      {list.items && list.items.length > 0 ? (
        <>
          <ul className={`p-list ${classes.reveals}`}>
            {list.items.map(({ id, by, reason, at, until }) => (
              <li key={id}>
                <span>
                  {t(
                    { id: 'settings.usage.reveal', defaultMessage: '{name} asked for your name: {reason}' },
                    { name: `\u2068${by}\u2069`, reason: `\u2068${reason}\u2069` },
                  )}
                </span>
                <span className="p-meta">
                  {t(
                    { id: 'settings.usage.revealTime', defaultMessage: 'from {at} until {until}' },
                    { at: exact(at), until: exact(until) },
                  )}
                </span>
              </li>
            ))}
          </ul>
          <ListEdge {...list.edge} />
        </>
      ) : list.items ? (
        <p className="p-sm p-quiet">
          {t({ id: 'settings.usage.noReveals', defaultMessage: 'Nobody has asked for your name.' })}
        </p>
      ) : null}
    </section>
  );
}
