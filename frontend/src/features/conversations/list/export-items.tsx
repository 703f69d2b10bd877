import type { ConversationId } from '@parley/contracts';
import { Copy, FileBraces, FileText } from 'lucide-react';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useText } from '../../../lib/text.ts';
import { Menu } from '../../../ui/menu.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useSaveChat } from './use-save-chat.ts';

/** The entries of a chat's menu that copy or export the chat. */
export const ExportItems = (props: { conversationId: ConversationId }) => (
  <LateTexts part="talk">
    <Items {...props} />
  </LateTexts>
);

function Items({ conversationId }: { conversationId: ConversationId }) {
  const { t } = useText();
  const off = useActionOff();
  const save = useSaveChat(conversationId);
  return (
    <>
      <Menu.Item leftSection={<Copy />} onClick={() => save('clipboard')} {...off}>
        {t({ id: 'talk.export.copyMarkdown', defaultMessage: 'Copy as Markdown' })}
      </Menu.Item>
      <Menu.Item leftSection={<FileText />} onClick={() => save('markdown')} {...off}>
        {t({ id: 'talk.export.markdown', defaultMessage: 'Export as Markdown' })}
      </Menu.Item>
      <Menu.Item leftSection={<FileBraces />} onClick={() => save('json')} {...off}>
        {t({ id: 'talk.export.json', defaultMessage: 'Export as JSON' })}
      </Menu.Item>
    </>
  );
}
