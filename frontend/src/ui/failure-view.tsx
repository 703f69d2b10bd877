import { Button } from '@mantine/core';
import { Lock, RotateCw, TriangleAlert } from 'lucide-react';
import { isProblem } from '../lib/http.ts';
import { useProblemText } from '../lib/problem-texts.ts';
import { useText } from '../lib/text.ts';
import { StateView } from './state-view.tsx';

/** A list or page that could not be loaded; a missing right is a view of its own. */
export function FailureView({ title, error, onRetry }: { title: string; error: unknown; onRetry: () => void }) {
  const { t } = useText();
  const { text, traceId } = useProblemText()(error);
  if (isProblem(error, 'platform.forbidden')) return <NoPermissionView />;
  const retry = (
    <Button variant="default" size="xs" leftSection={<RotateCw size={14} />} onClick={onRetry}>
      {t({ id: 'state.failure.retry', defaultMessage: 'Try again' })}
    </Button>
  );
  return (
    <StateView icon={TriangleAlert} title={title} actions={retry} isAlert>
      <span>{text}</span>
      {traceId ? (
        <span className="p-meta p-mono">
          <bdi dir="ltr">trace {traceId}</bdi>
        </span>
      ) : null}
    </StateView>
  );
}

export function NoPermissionView({ isPlatform = false }: { isPlatform?: boolean }) {
  const { t } = useText();
  return (
    <StateView icon={Lock} title={t({ id: 'state.forbidden.title', defaultMessage: 'You cannot see this' })}>
      {isPlatform
        ? t({
            id: 'state.forbidden.platform',
            defaultMessage: 'It belongs to the people who run this installation, its platform admins.',
          })
        : t({
            id: 'state.forbidden.text',
            defaultMessage:
              'Your role in this organisation does not include it. An owner or admin of the organisation can give it to you.',
          })}
    </StateView>
  );
}
