import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ConnectionId, Member } from '@parley/contracts';
import { useState, type FormEvent } from 'react';
import { api, type Answer } from '../../../lib/http.ts';
import { useFormats } from '../../../lib/formats.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { PassageLocation } from '../../../domain/passage/passage-location.tsx';
import { PersonChoice } from './person-choice.tsx';
import classes from './search-tester.module.css';

type Found = Answer<'POST /api/chat/search-tests'>;

/** What a question finds in this connection, for oneself or as another member. */
export function SearchTester({ connectionId }: { connectionId: ConnectionId }) {
  const { t, intl } = useText();
  const { number } = useFormats();
  const describe = useProblemText();
  const off = useActionOff();
  const orgId = useTab().organisation.id;
  const [text, setText] = useState('');
  const [person, setPerson] = useState<Pick<Member, 'userId' | 'name' | 'picture'> | null>(null);
  const search = useMutation({
    mutationFn: () =>
      api('POST /api/chat/search-tests', {
        orgId,
        body: { text: text.trim(), connectionId, ...(person && { as: person.userId }) },
      }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') search.mutate();
  };
  const title = t({ id: 'documents.tester.title', defaultMessage: 'Test a search' });
  return (
    <section aria-label={title} className={classes.tester}>
      <h3 className="p-h3">{title}</h3>
      <form className={classes.ask} onSubmit={submit}>
        <TextInput
          aria-label={t({ id: 'documents.tester.text', defaultMessage: 'What somebody would ask' })}
          placeholder={t({ id: 'documents.tester.text', defaultMessage: 'What somebody would ask' })}
          value={text}
          maxLength={1_000}
          dir="auto"
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={search.isPending} {...off}>
          {t({ id: 'documents.tester.search', defaultMessage: 'Search' })}
        </Button>
      </form>
      <PersonChoice person={person} onChange={setPerson} />
      <output>
        {search.error ? (
          <Note kind="danger">{describe(search.error).text}</Note>
        ) : search.data ? (
          <>
            <p className="p-meta">
              {t(
                {
                  id: 'documents.tester.found',
                  defaultMessage: '{count, plural, one {# passage} other {# passages}} in {time}',
                },
                {
                  count: search.data.passages.length,
                  time: intl.formatNumber(search.data.milliseconds, { style: 'unit', unit: 'millisecond' }),
                },
              )}
            </p>
            <Results found={search.data} score={(value) => number(Math.round(value * 100) / 100)} />
          </>
        ) : null}
      </output>
    </section>
  );
}

function Results({ found, score }: { found: Found; score: (value: number) => string }) {
  const { t } = useText();
  const placesOf = usePlaces();
  if (found.passages.length === 0)
    return (
      <p className="p-quiet">
        {found.connections === 0
          ? t({ id: 'documents.tester.mayNot', defaultMessage: 'This person can’t read this connection.' })
          : t({ id: 'documents.tester.none', defaultMessage: 'Nothing here has one of these words.' })}
      </p>
    );
  return (
    <ol className={`p-sm ${classes.results}`}>
      {found.passages.map((passage) => (
        <li key={passage.chunkId}>
          <bdi className={classes.name}>{passage.documentName}</bdi>
          <PassageLocation className="p-meta" passage={passage} />
          <p dir="auto">{passage.text.slice(0, 240)}</p>
          <span className="p-meta">
            {t({ id: 'documents.tester.score', defaultMessage: 'Score {score}' }, { score: score(passage.score) })}
            {passage.ranks ? ` · ${placesOf(passage.ranks)}` : null}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** At which place a passage stands by words and by meaning. */
function usePlaces(): (ranks: NonNullable<Found['passages'][number]['ranks']>) => string {
  const { t } = useText();
  const { number } = useFormats();
  const nowhere = t({ id: 'documents.tester.notListed', defaultMessage: 'not found' });
  const placeOf = (rank: number | null) => (rank === null ? nowhere : number(rank));
  return ({ words, meaning }) =>
    t(
      { id: 'documents.tester.places', defaultMessage: 'by words: {words} · by meaning: {meaning}' },
      { words: placeOf(words), meaning: placeOf(meaning) },
    );
}
