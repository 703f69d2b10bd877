import { copyText } from '../../../lib/clipboard.ts';
import { isRunning, versionsOf, type Path, type Versions } from '../../../domain/conversation/conversation-path.ts';
import { useShortcut } from '../../../lib/shortcuts.ts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useToast } from '../../../ui/toast.tsx';
import type { MessageActions } from '../state/message-actions.ts';

type Shown = {
  readonly path: Path;
  readonly versions: Versions | undefined;
  readonly actions: Pick<MessageActions, 'edit' | 'showVersion'>;
};

/** Adds keyboard shortcuts for the shown path, besides the composer's. */
export function useChatShortcuts({ path, versions, actions }: Shown): void {
  const { t } = useText();
  const toast = useToast();
  const mayAsk = useRight('chat:create');
  const question = path.findLast(({ role }) => role === 'person');
  const answer = path.findLast((message) => message.role === 'assistant' && message.text !== '' && !isRunning(message));
  const copy = async (text: string) => {
    if (await copyText(text)) toast({ text: t({ id: 'chat.run.copied', defaultMessage: 'Answer copied' }) });
  };
  const { before, after, shown } = forkOf(path, versions);
  useShortcut('copyAnswer', answer ? () => void copy(answer.text) : null);
  useShortcut('editQuestion', question && mayAsk ? () => actions.edit(question) : null);
  useShortcut('previousBranch', before && shown ? () => void actions.showVersion(before, shown) : null);
  useShortcut('nextBranch', after && shown ? () => void actions.showVersion(after, shown) : null);
}

/** Returns the versions around the last message that has several, to switch between them. */
function forkOf(path: Path, versions: Versions | undefined) {
  const fork = versions && path.findLast((message) => versionsOf(versions, message) !== null);
  const all = (fork && versionsOf(versions, fork)) ?? [];
  const at = fork ? all.indexOf(fork.id) : -1;
  return { shown: fork?.id, before: all[at - 1], after: all[at + 1] };
}
