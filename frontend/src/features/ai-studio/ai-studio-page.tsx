import { Button } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { useText } from '../../lib/text.ts';
import { LivePage } from '../../ui/page.tsx';
import { useActionOff } from '../../ui/stale.tsx';
import { BotList } from './bots/bot-list/index.tsx';
import { Studio } from './studio/studio.tsx';
import { useStudioPlace } from './state/use-studio-place.ts';

const CreateDialog = lazyPart(async () => (await import('./bots/create-dialog.tsx')).CreateDialog);

/** The chatbots of the organisation; with `?bot=` one of them, to be edited, tried and published. */
export function AiStudioPage() {
  const { bot } = useStudioPlace();
  return bot === null ? <AllChatbots /> : <Studio key={bot} chatbotId={bot} />;
}

function AllChatbots() {
  const { t } = useText();
  const off = useActionOff();
  const { go } = useStudioPlace();
  const [isAdding, setAdding] = useState(false);
  const title = t({ id: 'studio.page.title', defaultMessage: 'AI Studio' });
  return (
    <LivePage
      title={title}
      actions={
        <Button leftSection={<Plus />} onClick={() => setAdding(true)} {...off}>
          {t({ id: 'studio.page.new', defaultMessage: 'New chatbot' })}
        </Button>
      }
    >
      <BotList />
      {isAdding ? <CreateDialog onMade={(id) => go({ bot: id })} onClose={() => setAdding(false)} /> : null}
    </LivePage>
  );
}
