import { Button } from '@mantine/core';
import { MessageCircleX } from 'lucide-react';
import { Link } from 'react-router-dom';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { usePaths } from '../../../lib/paths.ts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { Page } from '../../../ui/page.tsx';
import { StateView } from '../../../ui/state-view.tsx';

/** Says that a chat isn't found. Deleted, unknown and someone else's chats look alike on purpose. */
export const ConversationGone = () => (
  <LateTexts part="talk">
    <Gone />
  </LateTexts>
);

function Gone() {
  const { t } = useText();
  const paths = usePaths();
  const title = t({ id: 'talk.gone.title', defaultMessage: 'Chat not found' });
  const mayRestore = useRight('chat:delete');
  const start = (
    <>
      <Button component={Link} to={paths.to('chat')} size="xs">
        {t({ id: 'talk.gone.start', defaultMessage: 'Start a new chat' })}
      </Button>
      {mayRestore ? (
        <Button component={Link} to={paths.deletedChats} variant="default" size="xs">
          {t({ id: 'chat.history.deleted', defaultMessage: 'Deleted chats' })}
        </Button>
      ) : null}
    </>
  );
  return (
    <Page title={t({ id: 'chat.page.untitled', defaultMessage: 'Chat' })} documentTitle={title}>
      <StateView icon={MessageCircleX} title={title} actions={start}>
        {t({
          id: 'talk.gone.text',
          defaultMessage:
            'It was deleted, the link is incomplete, or it belongs to somebody else or to another organisation. Check the organisation in the corner.',
        })}
      </StateView>
    </Page>
  );
}
