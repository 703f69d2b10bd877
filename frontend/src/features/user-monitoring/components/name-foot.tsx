import { Button } from '@mantine/core';
import type { PersonUse } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import { useErrorToast } from '../../../ui/error-toast.ts';
import classes from '../user-monitoring.module.css';

const RevealDialog = lazyPart(async () => (await import('./reveal-dialog.tsx')).RevealDialog);

/** What is not shown here, and how one asks for the name. */
export function NameFoot({ person }: { person: PersonUse }) {
  const { t } = useText();
  const [isAsking, setAsking] = useState(false);
  const off = useActionOff();
  if (person.name) return <Shown shown={person.name} />;
  return (
    <footer className={classes.nameFoot}>
      <p className="p-sm">
        {t({
          id: 'people.name.about',
          defaultMessage: 'No text of any chat is shown. The name needs a reason and an end; the person is told.',
        })}
      </p>
      <Button variant="default" onClick={() => setAsking(true)} {...off}>
        {t({ id: 'people.name.ask', defaultMessage: 'Ask for the name' })}
      </Button>
      {isAsking ? <RevealDialog person={person} onClose={() => setAsking(false)} /> : null}
    </footer>
  );
}

function Shown({ shown: { name, until, revealId } }: { shown: NonNullable<PersonUse['name']> }) {
  const { t } = useText();
  const { exact } = useFormats();
  const client = useQueryClient();
  const showError = useErrorToast();
  const off = useActionOff();
  const orgId = useTab().organisation.id;
  const end = useMutation({
    mutationFn: () => api('DELETE /api/monitoring/name-reveals/:revealId', { orgId, params: { revealId }, retries: 2 }),
    onError: showError,
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey('people', orgId) }),
  });
  return (
    <footer className={classes.nameFoot}>
      <p>
        <bdi className={classes.name}>{name}</bdi>
        <span className="p-meta">
          {t(
            { id: 'people.name.until', defaultMessage: 'You see this name until {time}. The person was told.' },
            { time: exact(until) },
          )}
        </span>
      </p>
      <Button variant="default" loading={end.isPending} onClick={() => end.mutate()} {...off}>
        {t({ id: 'people.name.hide', defaultMessage: 'Hide the name now' })}
      </Button>
    </footer>
  );
}
