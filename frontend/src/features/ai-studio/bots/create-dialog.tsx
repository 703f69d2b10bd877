import type { ChatbotId } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { TemplateList } from './template-list/index.tsx';

/** What a new chatbot begins with: a template, or nothing. */
export function CreateDialog({ onMade, onClose }: { onMade: (id: ChatbotId) => void; onClose: () => void }) {
  const { t } = useText();
  return (
    <Dialog title={t({ id: 'studio.create.title', defaultMessage: 'New chatbot' })} onClose={onClose}>
      <p className="p-sm p-quiet">
        {t({
          id: 'studio.create.about',
          defaultMessage: 'Choose what it begins with. Nobody can use it before you publish it.',
        })}
      </p>
      <TemplateList onMade={onMade} />
    </Dialog>
  );
}
