import { NativeSelect } from '@mantine/core';
import type { ConnectionId } from '@parley/contracts';
import { useId } from 'react';
import { useFormats } from '../../../../lib/formats.ts';
import { useProblemText } from '../../../../lib/problem-texts.ts';
import { useText } from '../../../../lib/text.ts';
import { Note } from '../../../../ui/note.tsx';
import { useConnections } from '../../state/queries.ts';
import type { DraftEditing } from '../../state/use-draft-editing.ts';
import classes from './knowledge-part.module.css';

const counts = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20];

/** What it answers from: how many passages, and whether nothing else counts. */
export function KnowledgePart({ editing: { content, change } }: { editing: DraftEditing }) {
  const { t } = useText();
  const { number } = useFormats();
  const { knowledge } = content;
  const { passages, onlyFromDocuments } = knowledge;
  const set = (part: Partial<typeof knowledge>) => change({ knowledge: { ...knowledge, ...part } });
  const offered = [...new Set([...counts, passages])].toSorted((one, other) => one - other);
  return (
    <>
      <NativeSelect
        label={t({ id: 'studio.knowledge.count', defaultMessage: 'Passages with a question, at most' })}
        description={t({
          id: 'studio.knowledge.countAbout',
          defaultMessage: 'Those that fit best go to the model; more of them cost more.',
        })}
        value={String(passages)}
        data={offered.map((count) => ({
          value: String(count),
          label:
            count === 0
              ? t({ id: 'studio.knowledge.no', defaultMessage: 'None: documents do not count' })
              : number(count),
        }))}
        onChange={(event) => set({ passages: Number(event.currentTarget.value) })}
      />
      <label className={`p-sm ${classes.check}`}>
        <input
          type="checkbox"
          checked={onlyFromDocuments}
          onChange={(event) => set({ onlyFromDocuments: event.currentTarget.checked })}
        />
        <span>
          {t({ id: 'studio.knowledge.onlyLabel', defaultMessage: 'Only from documents' })}
          <span className="p-meta">
            {t({
              id: 'studio.knowledge.onlyAbout',
              defaultMessage: 'Where nothing is found, it says so and asks no model.',
            })}
          </span>
        </span>
      </label>
      <WhereToLook value={knowledge.connectionIds} onChange={(connectionIds) => set({ connectionIds })} />
    </>
  );
}

type Where = DraftEditing['content']['knowledge']['connectionIds'];

/** In all data connections, or in some; of each, whoever asks gets only what they may read. */
function WhereToLook({ value, onChange }: { value: Where; onChange: (next: Where) => void }) {
  const { t } = useText();
  const name = useId();
  const describe = useProblemText();
  const { connections, nameOf, isLoading, error } = useConnections();
  const option = (isChosen: boolean, words: string, choose: () => void) => (
    <label className={`p-sm ${classes.check}`}>
      <input type="radio" name={name} checked={isChosen} onChange={choose} />
      {words}
    </label>
  );
  // What somebody cannot see stays chosen.
  const toggle = (id: ConnectionId, isIn: boolean) =>
    onChange(isIn ? [...(value ?? []), id] : (value ?? []).filter((one) => one !== id));
  const isKnown = !isLoading && error === null;
  const unseen = isKnown ? (value ?? []).filter((id) => !connections.some((connection) => connection.id === id)) : [];
  return (
    <fieldset className={classes.where}>
      <legend>{t({ id: 'studio.knowledge.where', defaultMessage: 'Where it looks' })}</legend>
      {option(
        value === null,
        t({
          id: 'studio.knowledge.everywhere',
          defaultMessage: 'In all data connections that the person asking can read',
        }),
        () => onChange(null),
      )}
      {option(value !== null, t({ id: 'studio.knowledge.some', defaultMessage: 'Only in some of them' }), () =>
        onChange(value ?? []),
      )}
      {value === null ? null : (
        <ul className={classes.connections}>
          {connections.map((connection) => (
            <li key={connection.id}>
              <label className={`p-sm ${classes.check}`}>
                <input
                  type="checkbox"
                  checked={value.includes(connection.id)}
                  onChange={(event) => toggle(connection.id, event.currentTarget.checked)}
                />
                <bdi>{nameOf(connection)}</bdi>
                <span className="p-meta">
                  {t(
                    {
                      id: 'studio.knowledge.documents',
                      defaultMessage: '{count, plural, one {# document} other {# documents}}',
                    },
                    { count: connection.documents.searchable },
                  )}
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
      {value !== null && error ? (
        <Note kind="danger" isAlert>
          {t({ id: 'studio.knowledge.failed', defaultMessage: 'The data connections could not be loaded.' })}{' '}
          {describe(error).text}
        </Note>
      ) : null}
      {unseen.length > 0 ? (
        <p className="p-meta">
          {t(
            {
              id: 'studio.knowledge.unseen',
              defaultMessage: 'And {count, plural, one {# more} other {# more}} that you cannot see, or that is gone.',
            },
            { count: unseen.length },
          )}
        </p>
      ) : null}
      {value?.length === 0 ? (
        <p className="p-meta">
          {t({ id: 'studio.knowledge.nowhere', defaultMessage: 'None is chosen yet: it finds nothing.' })}
        </p>
      ) : null}
    </fieldset>
  );
}
