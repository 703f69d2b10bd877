import type { MonitoringNow } from '@parley/contracts';
import { useEffect, useState } from 'react';
import { useConnection } from '../../lib/live.tsx';

/** A minute of seconds. */
const mostKept = 60;

/**
 * What happened in each of the last seconds, oldest first. The server is asked to tell only while somebody looks: a
 * hidden tab hears nothing.
 */
export function useNow(): readonly MonitoringNow[] {
  const connection = useConnection();
  const [seconds, setSeconds] = useState<readonly MonitoringNow[]>([]);
  useEffect(() => {
    const watch = () => connection.watchNow(!document.hidden);
    const stops = [
      connection.on('connected', watch),
      connection.on('monitoring.now', (now) => setSeconds((before) => [...before.slice(1 - mostKept), now])),
    ];
    document.addEventListener('visibilitychange', watch);
    watch();
    return () => {
      for (const stop of stops) stop();
      document.removeEventListener('visibilitychange', watch);
      connection.watchNow(false);
    };
  }, [connection]);
  return seconds;
}
