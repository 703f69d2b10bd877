import { Button } from '@mantine/core';
import { RotateCw } from 'lucide-react';
import { loadSession } from '../lib/session.ts';
import { useProblemText } from '../lib/problem-texts.ts';
import { useText } from '../lib/text.ts';
import { Brand } from '../ui/brand.tsx';
import classes from './client-error-page.module.css';

/** Nobody can say who is signed in: the server did not answer. */
export function UnreachablePage({ error }: { error: unknown }) {
  const { t } = useText();
  const describe = useProblemText();
  const { text, traceId } = describe(error);
  return (
    <main className={classes.page}>
      <section className={classes.card} role="alert">
        <Brand />
        <h1 className={`p-h2 ${classes.title}`}>{t({ id: 'visitor.unreachable.title', defaultMessage: 'Parley did not answer' })}</h1>
        <p className="p-quiet">{text}</p>
        <div className={classes.actions}>
          <Button leftSection={<RotateCw size={16} strokeWidth={1.75} />} onClick={() => void loadSession()}>{t({ id: 'visitor.unreachable.retry', defaultMessage: 'Try again' })}</Button>
        </div>
        {traceId ? <div className={classes.facts} dir="ltr">trace {traceId}</div> : null}
      </section>
    </main>
  );
}
