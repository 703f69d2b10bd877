import { useEffect, useState } from 'react';
import { useFormats } from '../lib/formats.ts';
import { useLiveStatus, useStaleSince } from '../lib/live.tsx';
import { useText } from '../lib/text.ts';
import { StatusShape } from './status-shape.tsx';
import classes from './live-chip.module.css';

const patienceMs = 1500;

/** Live, Reconnecting, Offline, or since when what is shown is old. */
export function LiveChip() {
  const { t } = useText();
  const { clock } = useFormats();
  const status = useLiveStatus();
  const staleSince = useStaleSince();
  const [isEarly, setEarly] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setEarly(false), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  if (status === 'connecting' && isEarly) return null;
  const kind =
    status === 'reconnecting' && staleSince !== null ? 'stale' : status === 'connecting' ? 'reconnecting' : status;
  const words = {
    live: t({ id: 'live.chip.live', defaultMessage: 'Live' }),
    reconnecting: t({ id: 'live.chip.reconnecting', defaultMessage: 'Reconnecting' }),
    offline: t({ id: 'live.chip.offline', defaultMessage: 'Offline' }),
    stale: t(
      { id: 'live.chip.stale', defaultMessage: 'As of {time}' },
      { time: staleSince === null ? '' : clock(staleSince) },
    ),
  };
  const shapes = { live: 'live', reconnecting: 'running', offline: 'off', stale: 'warning' } as const;
  return (
    <output className={classes.chip} data-kind={kind}>
      <StatusShape kind={shapes[kind]} />
      <span className={classes.word}>{words[kind]}</span>
    </output>
  );
}
