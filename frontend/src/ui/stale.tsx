import { Button } from '@mantine/core';
import type { MouseEvent } from 'react';
import { useFormats } from '../lib/formats.ts';
import { useConnection, useStaleSince } from '../lib/live.tsx';
import { useText } from '../lib/text.ts';
import { StatusShape } from './status-shape.tsx';
import classes from './stale.module.css';

/**
 * Spread last over a button that changes something on the server. It stays reachable, so that its reason can be read.
 */
export type ActionOff = {
  title: string;
  'aria-disabled': true;
  'data-disabled': true;
  onClick: (event: MouseEvent) => void;
};

const refuse = (event: MouseEvent) => event.preventDefault();

/** What switches a button off, with the reason. */
export const offBecause = (reason: string): ActionOff => ({
  title: reason,
  'aria-disabled': true,
  'data-disabled': true,
  onClick: refuse,
});

/** Null while actions may be taken; else what switches one off, with the reason. */
export function useActionOff(): ActionOff | null {
  const { t } = useText();
  if (useStaleSince() === null) return null;
  return offBecause(t({ id: 'live.stale.reason', defaultMessage: 'Off until the connection is back' }));
}

/** Below the last known data: since when they are old, and the way back. */
export function StaleBar() {
  const { t } = useText();
  const { clock } = useFormats();
  const staleSince = useStaleSince();
  if (staleSince === null) return null;
  return (
    <output className={`p-sm ${classes.bar}`}>
      <StatusShape kind="warning" />
      <span className={classes.text}>
        {t(
          {
            id: 'live.stale.text',
            defaultMessage: 'Live updates stopped at {time}. Actions are off until the connection is back.',
          },
          { time: clock(staleSince) },
        )}
      </span>
      <ConnectButton />
    </output>
  );
}

function ConnectButton() {
  const { t } = useText();
  const { retryNow } = useConnection();
  return (
    <Button variant="default" size="xs" onClick={retryNow}>
      {t({ id: 'live.stale.connect', defaultMessage: 'Connect now' })}
    </Button>
  );
}
