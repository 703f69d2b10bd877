import { Button } from '@mantine/core';
import type { Message } from '@parley/contracts';
import { ArrowDown } from 'lucide-react';
import { useState } from 'react';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useText } from '../../../lib/text.ts';
import { isRunning } from '../../../domain/conversation/conversation-path.ts';
import classes from './message-list.module.css';

/** Shows a button for a reader who scrolled up, with the number of new messages. */
export const ToNewest = (props: Props) => (
  <LateTexts part="talk">
    <Way {...props} />
  </LateTexts>
);

type Props = { messages: readonly Message[]; onClick: () => void };

function Way({ messages, onClick }: Props) {
  const { t } = useText();
  const [leftAt] = useState(() => messages.at(-1)?.id);
  const last = messages.findIndex(({ id }) => id === leftAt);
  // After a move to another branch no message counts as new.
  const came = last === -1 ? 0 : messages.length - 1 - last;
  const newest = messages.at(-1);
  const words =
    came > 0
      ? t(
          { id: 'talk.newest.came', defaultMessage: '{came, plural, one {# new message} other {# new messages}}' },
          { came },
        )
      : newest && isRunning(newest)
        ? t({ id: 'talk.newest.running', defaultMessage: 'The answer goes on below' })
        : t({ id: 'talk.newest.go', defaultMessage: 'To the newest message' });
  return (
    <Button className={classes.newest} variant="default" size="xs" leftSection={<ArrowDown />} onClick={onClick}>
      {words}
    </Button>
  );
}
