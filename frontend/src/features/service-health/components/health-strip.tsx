import type { ServiceHealth } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { Figure, FigureStrip } from '../../../ui/figure-strip.tsx';
import { figuresOf } from '../health-figures.ts';

/** Six figures; a dash stands for what no service tells now. */
export function HealthStrip({ health }: { health: ServiceHealth }) {
  const { t } = useText();
  const { number, seconds } = useFormats();
  const { behind, mostBehind, outbox, letters, parkedKeys, attempts, failed, cut } = figuresOf(health);
  const share = attempts === 0 ? 0 : (failed / attempts) * 100;
  return (
    <FigureStrip>
      <Figure
        label={t({ id: 'health.strip.behind', defaultMessage: 'Events behind' })}
        value={number(behind)}
        isBad={behind > 0 && mostBehind !== null}
      >
        {mostBehind
          ? t({ id: 'health.strip.mostOf', defaultMessage: 'most in {service}' }, { service: mostBehind })
          : t({ id: 'health.strip.inTime', defaultMessage: 'all in time' })}
      </Figure>
      <Figure
        label={t({ id: 'health.strip.waiting', defaultMessage: 'Answers waiting' })}
        value={number(health.queued)}
      >
        {t({ id: 'health.strip.running', defaultMessage: '{count} running' }, { count: number(health.running) })}
      </Figure>
      <Figure
        label={t({ id: 'health.strip.providerErrors', defaultMessage: 'Provider errors' })}
        value={`${number(Number(share.toFixed(1)))} %`}
        isBad={share >= 5}
      >
        {cut === 0
          ? t(
              { id: 'health.strip.ofAttempts', defaultMessage: '{failed} of {attempts} in 1 h' },
              { failed: number(failed), attempts: number(attempts) },
            )
          : t(
              { id: 'health.strip.ofAttemptsCut', defaultMessage: '{failed} of {attempts} in 1 h · {cut} cut' },
              { failed: number(failed), attempts: number(attempts), cut: number(cut) },
            )}
      </Figure>
      <Figure label={t({ id: 'health.strip.sockets', defaultMessage: 'Open sockets' })} value={number(health.sockets)}>
        {t({ id: 'health.strip.tabs', defaultMessage: 'one for each open tab' })}
      </Figure>
      <Figure
        label={t({ id: 'health.strip.letters', defaultMessage: 'Dead letters' })}
        value={number(letters)}
        isBad={letters > 0}
      >
        {t(
          { id: 'health.strip.keys', defaultMessage: '{count, plural, one {# key} other {# keys}} parked' },
          { count: parkedKeys },
        )}
      </Figure>
      <Figure
        label={t({ id: 'health.strip.outbox', defaultMessage: 'Outbox age' })}
        value={outbox ? seconds(outbox.oldestMs) : '–'}
        isBad={outbox !== null && outbox.oldestMs >= 10_000}
      >
        {outbox
          ? t(
              { id: 'health.strip.unsent', defaultMessage: '{count, plural, one {# event} other {# events}} to send' },
              { count: outbox.waiting },
            )
          : null}
      </Figure>
    </FigureStrip>
  );
}
