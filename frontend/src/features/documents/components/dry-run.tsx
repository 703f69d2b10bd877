import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ConnectionId } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { api, type Answer } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { AllowAddress } from '../../../ui/allow-address.tsx';
import { InSight } from '../../../ui/in-sight.tsx';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { addressOf, sourceOf, type SourceDraft } from '../connection-draft.ts';
import { useSourceFailures } from '../connection-words.ts';
import classes from './connection-form.module.css';

type Props = {
  draft: SourceDraft;
  connectionId: ConnectionId | null;
  /** Whether what is typed can be tried; it says what is missing at its field. */
  isReady: () => boolean;
};

/** What a sync would find, before anything is stored. */
export function DryRun({ draft, connectionId, isReady }: Props) {
  const { t } = useText();
  const describe = useProblemText();
  const off = useActionOff();
  const { me, organisation } = useTab();
  const orgId = organisation.id;
  const isPlatformAdmin = me.platformRole === 'admin';
  const { secret } = draft;
  const trying = useMutation({
    mutationFn: () =>
      api('POST /api/chat/connections/preview', {
        orgId,
        body: { source: sourceOf(draft), ...(secret && { secret }), ...(connectionId && { connectionId }) },
      }),
  });
  if (draft.kind === 'upload') return null;
  return (
    <section className={classes.dry} aria-label={t({ id: 'documents.dry.label', defaultMessage: 'Dry run' })}>
      <div>
        <Button
          variant="default"
          size="xs"
          loading={trying.isPending}
          onClick={() => isReady() && trying.mutate()}
          {...off}
        >
          {t({ id: 'documents.dry.run', defaultMessage: 'Look what would come' })}
        </Button>{' '}
        <span className="p-meta">
          {t({ id: 'documents.dry.about', defaultMessage: 'Takes up to 20 seconds, stores nothing.' })}
        </span>
      </div>
      <output>
        {trying.error || trying.data ? (
          <InSight>
            {trying.error ? (
              <Note kind="danger">{describe(trying.error).text}</Note>
            ) : trying.data.failure === 'not-allowed' && isPlatformAdmin ? (
              <AllowAddress url={addressOf(sourceOf(draft))} onAllowed={() => trying.mutate()} />
            ) : (
              <Result result={trying.data} />
            )}
          </InSight>
        ) : null}
      </output>
    </section>
  );
}

function Result({ result }: { result: Answer<'POST /api/chat/connections/preview'> }) {
  const { t } = useText();
  const { size } = useFormats();
  const failures = useSourceFailures();
  const { failure, detail, found, seen, bytes, isComplete, skipped, sample } = result;
  if (failure)
    return (
      <Note kind="danger">
        {failures[failure]}
        {detail ? (
          <div className="p-mono" dir="ltr">
            {detail}
          </div>
        ) : null}
      </Note>
    );
  return (
    <>
      <p className={`p-sm p-figures ${classes.counts}`}>
        {isComplete
          ? t(
              {
                id: 'documents.dry.all',
                defaultMessage: '{count, plural, one {# document} other {# documents}} would come, {size} in all.',
              },
              { count: found, size: size(bytes) },
            )
          : t(
              {
                id: 'documents.dry.some',
                defaultMessage: 'At least {found, number} addresses; of the first {seen, number} came {size}.',
              },
              { found, seen, size: size(bytes) },
            )}
        {skipped > 0
          ? ` ${t({ id: 'documents.dry.skipped', defaultMessage: '{count, number} cannot be read and would be left out.' }, { count: skipped })}`
          : ''}
      </p>
      <ul className={`p-list p-sm ${classes.sample}`}>
        {sample.slice(0, 8).map(({ name, address }) => (
          <li key={address}>
            <bdi>{name}</bdi>
            <bdi dir="ltr" className="p-mono">
              {address}
            </bdi>
          </li>
        ))}
      </ul>
    </>
  );
}
