import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Message, Model, ModelKey } from '@parley/contracts';
import {
  Copy,
  CornerDownRight,
  GitBranch,
  GitFork,
  Link,
  Pencil,
  RefreshCw,
  Shuffle,
  Trash2,
  type LucideIcon,
} from 'lucide-react';
import { copyText } from '../../../lib/clipboard.ts';
import type { ConversationStreamState } from '../../../domain/conversation/conversation-stream-state.ts';
import { api } from '../../../lib/http.ts';
import { usePaths } from '../../../lib/paths.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { glyphs } from '../../../ui/glyph.ts';
import { offBecause, useActionOff, type ActionOff } from '../../../ui/stale.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useAgainCost } from './again-cost.ts';
import { givenBy, iconOfModel, useAnswerer, useAnswererName } from '../state/answerer.ts';
import { conversationKey } from '../state/messages.ts';
import { useModelName } from '../../../domain/model/model-name.ts';
import { mayGoOn } from './answer-state.ts';
import type { MessageMenuProps } from '../state/message-actions.ts';

export type Entry = {
  readonly key: string;
  readonly icon: LucideIcon;
  readonly label: string;
  /** A second line of the entry, if there is room. */
  readonly note?: string;
  /** Why the action can't be done now. */ readonly off?: ActionOff | null;
  /** Opens `useOthers` instead of doing something. */
  readonly opensOthers?: boolean;
  readonly onClick: () => void;
};

/** Loads the number of messages below a message, and the model and chatbot of each version. */
function useBranch({ conversationId, id: messageId }: Message) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('messages', orgId, conversationId, messageId),
    queryFn: ({ signal }) =>
      api('GET /api/chat/conversations/:conversationId/messages/:messageId/branch', {
        orgId,
        params: { conversationId, messageId },
        signal,
      }),
    staleTime: 0,
  }).data;
}

/** Returns the actions on a message in groups. An action on several messages shows their number first. */
export function useEntries(props: MessageMenuProps): readonly (readonly Entry[])[] {
  const mayAsk = useRight('chat:create');
  const mayDelete = useRight('chat:delete');
  const ask = useAskEntries(props);
  const share = useShareEntries(props);
  const remove = useDeleteEntry(props);
  return [mayAsk ? ask : [], share, mayDelete ? [remove] : []].filter((group) => group.length > 0);
}

function useAskEntries({ message, actions }: MessageMenuProps): Entry[] {
  const { t } = useText();
  const off = useActionOff();
  const isLast = useShown(message)?.messages.at(-1)?.id === message.id;
  const edit: Entry = {
    key: 'edit',
    icon: Pencil,
    label: t({ id: 'chat.message.edit', defaultMessage: 'Edit' }),
    note: t({ id: 'entries.message.editNote', defaultMessage: 'The earlier version is kept' }),
    onClick: () => actions.edit(message),
  };
  const again: Entry = {
    key: 'again',
    icon: RefreshCw,
    label: t({ id: 'chat.note.askAgain', defaultMessage: 'Ask again' }),
    off,
    onClick: () => actions.askAgain(message),
  };
  const againWith: Entry = {
    key: 'againWith',
    icon: Shuffle,
    label: t({ id: 'entries.message.againWith', defaultMessage: 'Ask again with…' }),
    off,
    opensOthers: true,
    onClick: () => undefined,
  };
  const goOn: Entry = {
    key: 'continue',
    icon: CornerDownRight,
    label: t({ id: 'entries.message.continue', defaultMessage: 'Continue' }),
    off,
    onClick: () => actions.goOn(message),
  };
  if (message.role === 'person') return isLast ? [edit, again] : [edit];
  return mayGoOn(message) ? [again, againWith, goOn] : [again, againWith];
}

function useDeleteEntry({ message, actions }: MessageMenuProps): Entry {
  const { t } = useText();
  const stale = useActionOff();
  const branch = useBranch(message);
  const counting = t({ id: 'entries.message.counting', defaultMessage: 'Off until its messages are counted' });
  return {
    key: 'delete',
    icon: Trash2,
    label: branch
      ? t(
          {
            id: 'entries.message.delete',
            defaultMessage: 'Delete {count, plural, one {# message} other {# messages}}',
          },
          { count: branch.messages },
        )
      : t({ id: 'entries.message.deleteCounting', defaultMessage: 'Delete…' }),
    note: t({ id: 'entries.message.deleteNote', defaultMessage: 'With all that follows. You can undo it for 7 days' }),
    off: branch ? stale : offBecause(counting),
    onClick: () => actions.remove(message),
  };
}

function useBranchNote(role: Message['role']): string {
  const { t } = useText();
  return role === 'person'
    ? t({
        id: 'entries.message.branchBefore',
        defaultMessage: 'New chat with the messages before it, to send it there',
      })
    : t({ id: 'entries.message.branchNote', defaultMessage: 'New chat with the messages up to here' });
}

function useShareEntries({ message, actions }: MessageMenuProps): Entry[] {
  const { t } = useText();
  const stale = useActionOff();
  const toast = useToast();
  const paths = usePaths();
  const mayAsk = useRight('chat:create');
  const { conversationId, id, text, role } = message;
  const link = async () => {
    if (await copyText(`${location.origin}${paths.message(conversationId, id)}`))
      toast({ text: t({ id: 'entries.message.linkCopied', defaultMessage: 'The link was copied.' }) });
  };
  const copy = async () => {
    if (await copyText(text)) toast({ text: t({ id: 'chat.message.copied', defaultMessage: 'Copied' }) });
  };
  const branchNote = useBranchNote(role);
  const copies: Entry[] = mayAsk
    ? [
        {
          key: 'branch',
          icon: GitFork,
          label: t({ id: 'chat.message.branch', defaultMessage: 'Branch to new chat' }),
          note: branchNote,
          off: stale,
          onClick: () => actions.branch(message, 'path'),
        },
        {
          key: 'branchAll',
          icon: GitBranch,
          label: t({ id: 'entries.message.branchAll', defaultMessage: 'Branch with all versions' }),
          note: t({
            id: 'entries.message.branchAllNote',
            defaultMessage: 'New chat with every version of each message',
          }),
          off: stale,
          onClick: () => actions.branch(message, 'all'),
        },
      ]
    : [];
  return [
    ...(role === 'person'
      ? [
          {
            key: 'copy',
            icon: Copy,
            label: t({ id: 'chat.message.copy', defaultMessage: 'Copy' }),
            onClick: () => void copy(),
          },
        ]
      : []),
    ...copies,
    {
      key: 'link',
      icon: Link,
      label: t({ id: 'entries.message.link', defaultMessage: 'Copy link to this message' }),
      onClick: () => void link(),
    },
  ];
}

type Other = Pick<Entry, 'key' | 'icon' | 'label' | 'onClick'> & {
  readonly aside: string | null;
  /** The model to warn about, if the question has images that this model doesn't accept. */
  readonly ofImages: Model | undefined;
};

/**
 * Returns who else could answer the question: other chatbots, and other models of the same one. Each has its earlier
 * version or its cost.
 */
export function useOthers(props: MessageMenuProps): {
  groups: readonly { readonly title: string; readonly entries: readonly Other[] }[];
  note: string;
} {
  const { message, versions, actions } = props;
  const { t } = useText();
  const nameOf = useAnswererName();
  const modelName = useModelName();
  const { models, chatbots } = useAnswerer(givenBy(message));
  const { generation } = message;
  const current = chatbots.find((chatbot) => chatbot.id === generation?.chatbot?.id);
  const versionOf = useVersionOf(props);
  const hasImages = useHasImages(message);
  const costOf = useAgainCost(message);
  const bots = chatbots.map(({ id: chatbotId, name, glyph, model: own }) => ({
    key: chatbotId,
    icon: glyphs[glyph],
    label: name,
    aside:
      chatbotId === current?.id
        ? t({ id: 'entries.message.current', defaultMessage: 'current' })
        : (versionOf((version) => version.chatbotId === chatbotId) ?? costOf(modelOf(models, own))),
    ofImages: hasImages ? modelOf(models, own) : undefined,
    onClick: () => actions.askAgain(message, { chatbotId }),
  }));
  const others = models.map((model) => ({
    key: model.key,
    icon: iconOfModel(model.key),
    label: modelName(model),
    aside:
      versionOf((version) => version.model === model.key && version.chatbotId === (current?.id ?? null)) ??
      costOf(model),
    ofImages: hasImages ? model : undefined,
    onClick: () => actions.askAgain(message, { model: model.key }),
  }));
  const count = (versions?.length ?? 1) + 1;
  return {
    groups: [
      ...(bots.length > 1 ? [{ title: t({ id: 'chat.bot.heading', defaultMessage: 'Chatbot' }), entries: bots }] : []),
      ...(current?.model || others.length === 0
        ? []
        : [
            {
              title:
                bots.length > 1 && current
                  ? t(
                      { id: 'entries.message.modelOf', defaultMessage: 'Model for {name}' },
                      { name: nameOf({ chatbot: current, model: null }) },
                    )
                  : t({ id: 'chat.model.heading', defaultMessage: 'Model' }),
              entries: others,
            },
          ]),
    ],
    note: t(
      { id: 'entries.message.becomes', defaultMessage: 'The new answer becomes version {count} of {count}.' },
      { count },
    ),
  };
}

/** Returns the model of a chatbot, or the default model. */
const modelOf = (models: readonly Model[], own: ModelKey | null): Model | undefined =>
  models.find(({ key, isDefault }) => (own ? key === own : isDefault));

/** Returns the chat as it was when the menu opened. */
function useShown({ conversationId }: Message): ConversationStreamState | undefined {
  const orgId = useTab().organisation.id;
  return useQueryClient().getQueryData<ConversationStreamState>(conversationKey(orgId, conversationId));
}

/** Returns whether the question of an answer has images. */
function useHasImages(message: Message): boolean {
  const question = useShown(message)?.messages.find(({ id }) => id === message.parentId);
  return question?.files?.some(({ use }) => use === 'image') ?? false;
}

type Given = NonNullable<ReturnType<typeof useBranch>>['versions'][number];

/** Returns a function that names the newest version that `isIt` accepts; null if there is none. */
function useVersionOf({ message, versions }: MessageMenuProps): (isIt: (version: Given) => boolean) => string | null {
  const { t } = useText();
  const { id } = message;
  const known = useBranch(message)?.versions ?? [];
  return (isIt) => {
    const version = known.findLast(isIt);
    const place = version ? (versions ?? [id]).indexOf(version.id) + 1 : 0;
    if (!version || place === 0) return null;
    return version.id === id
      ? t({ id: 'entries.message.versionShown', defaultMessage: 'version {place}, shown' }, { place })
      : t({ id: 'entries.message.version', defaultMessage: 'version {place}' }, { place });
  };
}
