import type { Conversation } from '@parley/contracts';
import { MessageSquare } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useChatbots } from '../../../domain/chatbot/use-chatbots.ts';
import { RunningMark } from '../../../domain/conversation/running-mark.tsx';
import { UnreadDot } from '../../../domain/conversation/unread-dot.tsx';
import { useModels } from '../../../domain/model/use-models.ts';
import { BotMark } from '../../../domain/picture/avatar.tsx';
import { useFormats } from '../../../lib/formats.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { usePaths } from '../../../lib/paths.ts';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ListTable } from '../../../ui/list-table.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { ActionsMenu } from '../list/conversation-menu/index.tsx';
import { RenameField } from '../list/rename-field.tsx';
import { iconOf, useAnswererName } from '../state/answerer.ts';
import { useConversationCommands } from '../state/conversation-commands.ts';
import type { CountedProject } from '../state/projects.ts';
import { useSelection, type Selection } from '../state/selection.ts';
import classes from './projects.module.css';
import { useLiveCounts } from './use-live-counts.ts';

const Selecting = lazyPart(async () => (await import('../many/selecting.ts')).Selecting);
const SelectionBar = lazyPart(async () => (await import('../many/selection-bar.tsx')).SelectionBar);
const none: readonly Conversation[] = [];

/** Lists the chats of a project in a table, updated like the sidebar's list. */
export function ProjectChats({ project, isNarrow }: { project: CountedProject; isNarrow: boolean }) {
  const { t } = useText();
  const list = useList('GET /api/chat/conversations', { within: { project: project.id }, staleTime: Infinity });
  useLiveCounts(project.id);
  const section = useRef<HTMLElement>(null);
  const selection = useSelection(list.items ?? none);
  const chat = t({ id: 'project.column.chat', defaultMessage: 'Chat' });
  const columns = [
    { key: 'name', label: chat },
    ...(isNarrow ? [] : [{ key: 'chatbot', label: t({ id: 'project.column.chatbot', defaultMessage: 'Chatbot' }) }]),
    { key: 'lastActivityAt', label: t({ id: 'project.column.activity', defaultMessage: 'Last activity' }) },
    { key: 'actions', label: t({ id: 'project.column.actions', defaultMessage: 'Actions' }), isHidden: true },
  ];
  return (
    <section
      ref={section}
      className={classes.chats}
      aria-label={t({ id: 'project.chats.label', defaultMessage: 'Chats' })}
    >
      <ListView
        list={list}
        loading={t({ id: 'project.chats.loading', defaultMessage: 'Loading chats…' })}
        failed={t({ id: 'project.chats.failed', defaultMessage: 'The chats could not be loaded' })}
        empty={
          <StateView icon={MessageSquare} title={t({ id: 'project.chats.empty', defaultMessage: 'No chats yet' })}>
            {t({
              id: 'project.chats.emptyText',
              defaultMessage:
                'Chats of this project appear here. Write the first message, or move a chat here by its menu.',
            })}
          </StateView>
        }
      >
        {(items) => (
          <>
            <div className={classes.bar}>
              <Counts project={project} items={items} isComplete={list.isComplete} />
            </div>
            <ListTable
              columns={columns}
              items={items}
              cells={(item) => <Cells chat={item} isNarrow={isNarrow} selection={selection} />}
              isCurrent={({ id }) => selection.has(id)}
              {...(selection.isOn && { onRow: ({ id }: Conversation) => selection.toggle(id) })}
            />
            <Selecting list={section} selection={selection} />
            {selection.isOn ? <SelectionBar selection={selection} /> : null}
          </>
        )}
      </ListView>
    </section>
  );
}

type CountsProps = { project: CountedProject; items: readonly Conversation[]; isComplete: boolean };

/**
 * Shows the project's counts. Counts the chats on this page if all are loaded, so that the numbers change with them.
 */
function Counts({ project, items, isComplete }: CountsProps) {
  const { t } = useText();
  const paths = usePaths();
  const chats = isComplete ? items.length : project.chats - project.archivedChats;
  const unread = isComplete ? items.filter((chat) => chat.unread).length : project.unread;
  return (
    <p className="p-meta">
      {t(
        { id: 'project.chats.count', defaultMessage: '{count, plural, one {# chat} other {# chats}}' },
        { count: chats },
      )}
      {unread > 0 ? (
        <>
          {' · '}
          {t({ id: 'project.chats.unread', defaultMessage: '{count, number} unread' }, { count: unread })}
        </>
      ) : null}
      {project.archivedChats > 0 ? (
        <>
          {' · '}
          <Link to={paths.archivedChats}>
            {t(
              { id: 'project.chats.archived', defaultMessage: '{count, number} archived' },
              { count: project.archivedChats },
            )}
          </Link>
        </>
      ) : null}
    </p>
  );
}

type CellsProps = { chat: Conversation; isNarrow: boolean; selection: Selection };

function Cells({ chat, isNarrow, selection }: CellsProps) {
  const { t } = useText();
  const { ago, exact } = useFormats();
  const [isRenaming, setRenaming] = useState(false);
  const activity = t({ id: 'project.column.activity', defaultMessage: 'Last activity' });
  return (
    <>
      <td>
        {isRenaming ? (
          <Renaming chat={chat} onDone={() => setRenaming(false)} />
        ) : (
          <Title chat={chat} selection={selection} />
        )}
      </td>
      {isNarrow ? null : (
        <td className={classes.botCell}>
          <ChatbotOf chat={chat} />
        </td>
      )}
      <td className={`${table.quiet} ${table.line}`} title={`${activity}: ${exact(chat.lastActivityAt)}`}>
        {ago(chat.lastActivityAt)}
      </td>
      <td className={table.actions}>
        {selection.isOn ? (
          <span className={classes.menuRoom} />
        ) : (
          <RowActions chat={chat} onRename={() => setRenaming(true)} onSelect={() => selection.begin(chat.id)} />
        )}
      </td>
    </>
  );
}

function Title({ chat, selection }: { chat: Conversation; selection: Selection }) {
  const { t } = useText();
  const paths = usePaths();
  return (
    <span className={classes.title}>
      {selection.isOn ? (
        <label className={classes.chat} data-unread={chat.unread || undefined}>
          <input
            type="checkbox"
            className={classes.box}
            checked={selection.has(chat.id)}
            onChange={() => selection.toggle(chat.id)}
          />
          <bdi>{chat.title}</bdi>
        </label>
      ) : (
        <Link
          dir="auto"
          className={classes.chat}
          data-unread={chat.unread || undefined}
          to={paths.to('chat/:id', { id: chat.id })}
        >
          {chat.title}
        </Link>
      )}
      {chat.running ? (
        <RunningMark className={classes.mark} />
      ) : chat.unread ? (
        <span className={classes.mark}>
          <UnreadDot />
          <span className="p-hidden">{t({ id: 'chat.history.unread', defaultMessage: 'Unread' })}</span>
        </span>
      ) : null}
    </span>
  );
}

/**
 * Shows the chatbot of a chat's newest answer. As in the chat, shows the default chatbot by its model's name until
 * someone edits that chatbot.
 */
function ChatbotOf({ chat: { chatbotId } }: { chat: Conversation }) {
  const { t } = useText();
  const nameOf = useAnswererName();
  const { data } = useChatbots();
  const models = useModels().data?.items;
  if (!chatbotId || !data || !models) return null;
  const chatbot = data.items.find(({ id }) => id === chatbotId);
  // The list of chats doesn't say which model answered. It is known only if one model is offered, or the chatbot sets
  // one.
  const model = models.find(({ key }) => models.length === 1 || key === chatbot?.model) ?? null;
  if (!chatbot)
    return <span className={table.quiet}>{t({ id: 'project.chatbot.missing', defaultMessage: 'Not available' })}</span>;
  return (
    <span className={classes.ofBot}>
      <BotMark icon={iconOf({ chatbot, model })} size={20} />
      <bdi>
        {nameOf({ chatbot, model }) ||
          t({ id: 'project.chatbot.ofOrganisation', defaultMessage: 'The organisation’s default' })}
      </bdi>
    </span>
  );
}

function Renaming({ chat, onDone }: { chat: Conversation; onDone: () => void }) {
  const { rename } = useConversationCommands();
  return (
    <RenameField
      title={chat.title}
      onDone={(title) => {
        onDone();
        if (title) void rename(chat.id, title);
      }}
    />
  );
}

type ActionsProps = { chat: Conversation; onRename: () => void; onSelect: () => void };

function RowActions({ chat, onRename, onSelect }: ActionsProps) {
  const { t } = useText();
  const { remove } = useConversationCommands();
  return (
    <ActionsMenu
      conversationId={chat.id}
      size={28}
      label={t({ id: 'chat.menu.of', defaultMessage: 'Actions for {title}' }, { title: chat.title })}
      onRename={onRename}
      onDelete={() => remove(chat.id, chat.title)}
      onSelect={onSelect}
    />
  );
}
