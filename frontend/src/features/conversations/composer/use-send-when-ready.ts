import { useEffect, useEffectEvent, useState } from 'react';

type Sending = {
  /** True if the message can be sent now. */
  readonly isSendable: boolean;
  /** True if the message can be sent once its files are uploaded and read. */
  readonly canWait: boolean;
  /** The number of files of the message. */
  readonly fileCount: number;
  readonly onSend: () => void;
};

/**
 * Sends now, or as soon as the files of the message are ready. A file that fails, or is removed meanwhile, ends the
 * wait, so that no message is sent without a file that belongs to it.
 */
export function useSendWhenReady({ isSendable, canWait, fileCount, onSend }: Sending) {
  /** The number of files when the person pressed send; null: not pressed. */
  const [asked, setAsked] = useState<number | null>(null);
  const hasAll = asked !== null && fileCount >= asked;
  const isAsked = hasAll && canWait;
  const isDue = hasAll && isSendable;
  // The wait is over: a file failed or was removed, or the message was sent.
  if (asked !== null && !isAsked && !isDue) setAsked(null);
  const send = useEffectEvent(onSend);
  useEffect(() => {
    if (isDue) send();
  }, [isDue]);
  return {
    /** True if the message will be sent automatically. */
    isAsked,
    ask: () => {
      if (isSendable) onSend();
      else if (canWait) setAsked(fileCount);
    },
    takeBack: () => setAsked(null),
  };
}
