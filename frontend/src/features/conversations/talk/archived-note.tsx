import { Button } from '@mantine/core';
import type { ConversationId } from '@parley/contracts';
import { Archive } from 'lucide-react';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { runShortcut } from '../../../lib/shortcuts.ts';
import { useText } from '../../../lib/text.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import { useConversationCommands } from '../state/conversation-commands.ts';
import classes from './conversation.module.css';

/** Says above the composer that the chat is archived. */
export const ArchivedNote = (props: Props) => (
  <LateTexts part="talk">
    <Note {...props} />
  </LateTexts>
);

type Props = { conversationId: ConversationId };

function Note({ conversationId }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const mayUpdate = useRight('chat:update');
  const { mark } = useConversationCommands();
  const unarchive = () => {
    // The button goes.
    runShortcut('compose');
    void mark(conversationId, { archived: false });
  };
  return (
    <output className={`p-sm p-quiet ${classes.elsewhere}`}>
      <Archive size={14} />
      <span>
        {t({ id: 'talk.archive.note', defaultMessage: 'This chat is archived. A new question brings it back.' })}
      </span>
      {mayUpdate ? (
        <Button size="xs" variant="subtle" onClick={unarchive} {...off}>
          {t({ id: 'talk.archive.undo', defaultMessage: 'Unarchive' })}
        </Button>
      ) : null}
    </output>
  );
}
