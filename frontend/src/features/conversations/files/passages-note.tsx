import { useQueryClient } from '@tanstack/react-query';
import type { FileId } from '@parley/contracts';
import { mostFilePassages } from '@parley/contracts/prompt-budget';
import type { ConversationStreamState } from '../../../domain/conversation/conversation-stream-state.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { StatusShape } from '../../../ui/status-shape.tsx';
import type { Attached } from '../state/attaching.ts';
import { isOfChat, type Where } from '../state/drafts.ts';
import { conversationKey } from '../state/messages.ts';
import classes from './files.module.css';

type Props = { where: Where; attached: readonly Attached[] };

/**
 * Warns below the files if the searched files of this question and of earlier ones have more passages than one question
 * can search.
 */
export function PassagesNote({ where, attached }: Props) {
  const { t } = useText();
  const earlier = useSearchedBefore(where);
  const passages = new Map(earlier);
  for (const { file, use } of attached) if (file && use === 'searched') passages.set(file.id, file.passageCount);
  const isSearching = attached.some(({ use, file }) => use === 'searched' && file?.status === 'ready');
  if (!isSearching || [...passages.values()].reduce((sum, count) => sum + count, 0) <= mostFilePassages) return null;
  return (
    <output className={`p-meta ${classes.note}`}>
      <StatusShape kind="warning" />
      <span>
        {t(
          {
            id: 'files.note.passages',
            defaultMessage:
              'The searched files of this chat have more than {most, number} passages together. Each question searches those of the newest questions first and leaves out the rest.',
          },
          { most: mostFilePassages },
        )}
      </span>
    </output>
  );
}

/** Returns the number of passages of each searched file on the shown path. */
function useSearchedBefore(where: Where): ReadonlyMap<FileId, number> {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  if (!isOfChat(where)) return new Map();
  const state = client.getQueryData<ConversationStreamState>(conversationKey(orgId, where));
  const files = state?.messages.flatMap((message) => message.files ?? []) ?? [];
  return new Map(files.flatMap(({ id, use, passageCount = 0 }) => (use === 'searched' ? [[id, passageCount]] : [])));
}
