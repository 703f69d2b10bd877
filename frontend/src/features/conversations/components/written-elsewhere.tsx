import { Button } from '@mantine/core';
import { useText } from '../../../lib/text.ts';
import { StatusShape } from '../../../ui/status-shape.tsx';
import classes from './conversation.module.css';

/** An answer is being written on another branch than the one that is read. */
export function WrittenElsewhere({ onShow }: { onShow: () => void }) {
  const { t } = useText();
  return (
    <output className={`p-sm p-quiet ${classes.elsewhere}`}>
      <StatusShape kind="running" />
      {t({ id: 'chat.elsewhere.text', defaultMessage: 'An answer is being written in another version.' })}
      <Button size="xs" variant="subtle" onClick={onShow}>
        {t({ id: 'chat.elsewhere.show', defaultMessage: 'Show' })}
      </Button>
    </output>
  );
}
