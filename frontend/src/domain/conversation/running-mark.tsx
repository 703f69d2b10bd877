import { useStaleSince } from '../../lib/live.tsx';
import { useText } from '../../lib/text.ts';
import { StatusShape } from '../../ui/status-shape.tsx';

/** Shows that an answer is being written, as far as the tab is connected. */
export function RunningMark({ className }: { className: string | undefined }) {
  const { t } = useText();
  const isStale = useStaleSince() !== null;
  return (
    <span className={className}>
      <StatusShape kind={isStale ? 'waiting' : 'running'} />
      <span className="p-hidden">
        {t({ id: 'chat.history.running', defaultMessage: 'An answer is being written' })}
      </span>
    </span>
  );
}
