import type { Conversation, Project } from '@parley/contracts';
import { useRef, useState, type ReactNode } from 'react';
import { useText } from '../../../lib/text.ts';
import { MovePicker } from '../moving/move-picker.tsx';
import { useMoveBack, useMoveChats } from '../moving/use-move-chats.tsx';
import { useTellOutcome, type Left } from './outcome.tsx';

type Chats = readonly Conversation[];
type Place = Pick<Project, 'id' | 'name'> | null;
type Asking = { readonly chats: Chats; readonly answer: (left: Chats) => void };

/** Moves many chats, names those that weren't moved, and moves each back to its project with one Undo. */
function useMoveAll() {
  const { t } = useText();
  const tell = useTellOutcome();
  const move = useMoveChats();
  const moveBack = useMoveBack();
  return async (chats: Chats, project: Place): Promise<Chats> => {
    const errors = await move(chats, project?.id ?? null);
    const left = chats.flatMap((chat): Left[] => (errors.has(chat.id) ? [{ chat, error: errors.get(chat.id) }] : []));
    const done = chats.filter(({ id }) => !errors.has(id));
    if (done.length === 0) return tell({ text: null, left });
    const count = done.length;
    const text = project
      ? t(
          {
            id: 'many.done.moved',
            defaultMessage: '{count, plural, one {# chat moved to “{project}”.} other {# chats moved to “{project}”.}}',
          },
          { count, project: project.name },
        )
      : t(
          {
            id: 'many.done.movedOut',
            defaultMessage:
              '{count, plural, one {# chat removed from its project.} other {# chats removed from their projects.}}',
          },
          { count },
        );
    return tell({ text, left, undo: () => moveBack(done) });
  };
}

/** Asks where to move chats, and moves them. `ask` resolves with the chats that weren't moved. */
export function useMoveMany(chats: Chats): { readonly ask: () => Promise<Chats>; readonly question: ReactNode } {
  const moveAll = useMoveAll();
  const moving = useRef<Promise<Chats>>(undefined);
  const [asking, setAsking] = useState<Asking | null>(null);
  const ask = () =>
    new Promise<Chats>((answer) => {
      moving.current = undefined;
      setAsking({ chats, answer });
    });
  const close = () => {
    setAsking(null);
    if (asking) void (moving.current ?? Promise.resolve(asking.chats)).then(asking.answer);
  };
  const places = new Set(asking?.chats.map(({ projectId = null }) => projectId));
  const question = asking ? (
    <MovePicker
      current={places.size === 1 ? [...places][0] : undefined}
      onMove={(project) => {
        moving.current = moveAll(asking.chats, project);
      }}
      onClose={close}
    />
  ) : null;
  return { ask, question };
}
