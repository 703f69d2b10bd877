import { Button } from '@mantine/core';
import { RotateCw } from 'lucide-react';
import { useEffect } from 'react';
import { isPassing } from '../lib/http.ts';
import { useProblemText } from '../lib/problem-texts.ts';
import { useText } from '../lib/text.ts';
import { Brand } from '../ui/brand.tsx';
import classes from './client-error-page.module.css';

const againAfterMs = 3000;

/** Nobody can say who is signed in: the server did not answer. It tries again by itself. */
export function UnreachablePage({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useText();
  const describe = useProblemText();
  const { text, traceId } = describe(error);
  useEffect(() => {
    if (!isPassing(error)) return undefined;
    const timer = setTimeout(onRetry, againAfterMs);
    return () => clearTimeout(timer);
  }, [error, onRetry]);
  return (
    <main className={classes.page}>
      <section className={classes.card} role="alert">
        <Brand />
        <h1 className={`p-h2 ${classes.title}`}>
          {t({ id: 'visitor.unreachable.title', defaultMessage: 'Parley did not answer' })}
        </h1>
        <p className="p-quiet">{text}</p>
        <div className={classes.actions}>
          <Button leftSection={<RotateCw />} onClick={onRetry}>
            {t({ id: 'visitor.unreachable.retry', defaultMessage: 'Try again' })}
          </Button>
        </div>
        {traceId ? (
          <div className={classes.facts} dir="ltr">
            trace {traceId}
          </div>
        ) : null}
      </section>
    </main>
  );
}
