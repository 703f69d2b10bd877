import { Button } from '@mantine/core';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useText } from '../../../lib/text.ts';
import { StatusShape } from '../../../ui/status-shape.tsx';
import classes from './conversation.module.css';

/** Says that an answer is running on another branch, with a way there. */
export const WrittenElsewhere = (props: { onShow: () => void }) => (
  <LateTexts part="talk">
    <Words {...props} />
  </LateTexts>
);

function Words({ onShow }: { onShow: () => void }) {
  const { t } = useText();
  return (
    <output className={`p-sm p-quiet ${classes.elsewhere}`}>
      <StatusShape kind="running" />
      {t({ id: 'talk.elsewhere.text', defaultMessage: 'An answer is being written in another version.' })}
      <Button size="xs" variant="subtle" onClick={onShow}>
        {t({ id: 'talk.elsewhere.show', defaultMessage: 'Show' })}
      </Button>
    </output>
  );
}
