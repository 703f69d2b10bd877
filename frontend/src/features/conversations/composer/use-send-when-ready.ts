import { useEffect, useEffectEvent, useState } from 'react';

type Sending = {
  /** The message can be sent now. */
  readonly isSendable: boolean;
  /** It can be sent once its files are uploaded and read. */
  readonly canWait: boolean;
  /** The number of its files. */
  readonly fileCount: number;
  readonly onSend: () => void;
};

/**
 * Sends now, or as soon as the files of the message are ready. A file that can't be used, or that is removed meanwhile,
 * ends the wait: nothing is sent without a file that was meant to be sent.
 */
export function useSendWhenReady({ isSendable, canWait, fileCount, onSend }: Sending) {
  /** The number of files when the person wanted to send. */
  const [asked, setAsked] = useState<number | null>(null);
  const hasAll = asked !== null && fileCount >= asked;
  const isAsked = hasAll && canWait;
  const isDue = hasAll && isSendable;
  // A file failed or was removed, or the message was sent.
  if (asked !== null && !isAsked && !isDue) setAsked(null);
  const send = useEffectEvent(onSend);
  useEffect(() => {
    if (isDue) send();
  }, [isDue]);
  return {
    /** The message will be sent automatically. */
    isAsked,
    ask: () => {
      if (isSendable) onSend();
      else if (canWait) setAsked(fileCount);
    },
    takeBack: () => setAsked(null),
  };
}
