import { Button } from '@mantine/core';
import type { Message } from '@parley/contracts';
import { ArrowDown } from 'lucide-react';
import { useState } from 'react';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useText } from '../../../lib/text.ts';
import { isRunning } from '../../../domain/conversation/conversation-path.ts';
import classes from './message-list.module.css';

/** The button for a reader who scrolled up, with what came meanwhile. */
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
  // On another branch nothing came: its reader moved there.
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
    <Button
      className={classes.newest}
      variant="default"
      size="xs"
      leftSection={<ArrowDown size={16} strokeWidth={1.75} aria-hidden="true" />}
      onClick={onClick}
    >
      {words}
    </Button>
  );
}
