import { useEffect, useEffectEvent, useState } from 'react';

type Sending = {
  /** Nothing is in the way. */
  readonly isSendable: boolean;
  /** Only files that are being uploaded or read are in the way. */
  readonly canWait: boolean;
  /** How many files the message has. */
  readonly fileCount: number;
  readonly onSend: () => void;
};

/**
 * Sends now, or as soon as the files of the message are ready. A file that can't be used, or that is removed meanwhile,
 * ends the wait: nothing is sent without a file that somebody meant to send.
 */
export function useSendWhenReady({ isSendable, canWait, fileCount, onSend }: Sending) {
  /** How many files there were when sending was asked for. */
  const [asked, setAsked] = useState<number | null>(null);
  const hasAll = asked !== null && fileCount >= asked;
  const isAsked = hasAll && canWait;
  const isDue = hasAll && isSendable;
  // One of them failed or is gone, or the message was sent with them.
  if (asked !== null && !isAsked && !isDue) setAsked(null);
  const send = useEffectEvent(onSend);
  useEffect(() => {
    if (isDue) send();
  }, [isDue]);
  return {
    /** It is sent by itself when the files are ready. */
    isAsked,
    ask: () => {
      if (isSendable) onSend();
      else if (canWait) setAsked(fileCount);
    },
    takeBack: () => setAsked(null),
  };
}
