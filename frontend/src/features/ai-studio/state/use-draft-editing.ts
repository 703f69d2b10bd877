import { useQueryClient } from '@tanstack/react-query';
import type { ChatbotContent, ChatbotDraft } from '@parley/contracts';
import { unknownVariables } from '@parley/contracts/chatbot-instructions';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { charactersOf } from '../../../lib/characters.ts';
import { api, isProblem } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { readStored, writeStored } from '../../../lib/stored.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { isSameContent, mergeContents, withParts, type Field } from './merge-drafts.ts';

const pauseMs = 700;
export const longestInstructions = 20_000;

/** What the server has: what one's own changes are made to. */
type Base = Pick<ChatbotDraft, 'revision' | 'content'>;
/** Changes that may not have arrived: kept in this browser until they have. */
type Kept = { readonly base: Base; readonly content: ChatbotContent };
export type Conflict = { readonly theirs: ChatbotDraft; readonly fields: readonly Field[] };
export type SaveState =
  | { readonly kind: 'saved'; readonly undo: ChatbotContent | null }
  | { readonly kind: 'pending' | 'invalid' }
  | { readonly kind: 'failed'; readonly error: unknown };

export type DraftEditing = ReturnType<typeof useDraftEditing>;

/** Why it is not sent as it is; null where it may be. */
export function faultOf({ name, instructions, temperature }: ChatbotContent): Field | null {
  if (name.trim() === '') return 'name';
  if (charactersOf(instructions) > longestInstructions || unknownVariables(instructions).length > 0)
    return 'instructions';
  return temperature !== null && (Number.isNaN(temperature) || temperature < 0 || temperature > 2)
    ? 'temperature'
    : null;
}

/** As the server keeps it: empty starters are none yet. */
const asSent = (content: ChatbotContent): ChatbotContent => ({
  ...content,
  name: content.name.trim(),
  starters: content.starters.map((one) => one.trim()).filter((one) => one !== ''),
});
const isAhead = ({ base, content }: Kept): boolean => !isSameContent(asSent(content), base.content);

/** What is on the screen and what the server has. Others' parts come in by themselves. */
function useKept(server: ChatbotDraft) {
  const { me, organisation } = useTab();
  const storageKey = `parley.studio.${me.id}.${organisation.id}.${server.id}`;
  const [kept, setKept] = useState<Kept>(
    () => readStored<Kept>('local', storageKey) ?? { base: server, content: server.content },
  );
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const latest = useRef(kept);
  const keep = useCallback(
    (next: Kept) => {
      latest.current = next;
      setKept(next);
      writeStored('local', storageKey, isAhead(next) ? next : null);
    },
    [storageKey],
  );
  const takeIn = useCallback(
    (theirs: ChatbotDraft) => {
      const { base, content } = latest.current;
      if (theirs.revision <= base.revision) return;
      const { merged, conflicts } = mergeContents(base.content, content, theirs.content);
      setConflict(conflicts.length > 0 ? { theirs, fields: conflicts } : null);
      keep({ base: theirs, content: merged });
    },
    [keep],
  );
  useEffect(() => takeIn(server), [server, takeIn]);
  return { kept, latest, keep, takeIn, conflict, setConflict };
}

/** Sends what is ahead of the server, one after the other. */
function useSave(server: ChatbotDraft, { kept, latest, keep, takeIn, conflict }: ReturnType<typeof useKept>) {
  const { organisation } = useTab();
  const client = useQueryClient();
  const [state, setState] = useState<SaveState>({ kind: 'saved', undo: null });
  const isSaving = useRef(false);
  const send = async (before: Base, content: ChatbotContent): Promise<void> => {
    const body = { revision: before.revision, content };
    const params = { chatbotId: server.id };
    const saved = await api('PUT /api/chat/chatbot-drafts/:chatbotId', { orgId: organisation.id, params, body });
    // What was typed meanwhile goes with the next one.
    keep({ base: saved, content: latest.current.content });
    client.setQueryData(resourceKey('chatbot-drafts', organisation.id, server.id), saved);
    void client.invalidateQueries({ queryKey: resourceKey('tests', organisation.id) });
    setState({ kind: 'saved', undo: before.content });
  };
  const save = useEffectEvent(async (): Promise<void> => {
    const { base, content } = latest.current;
    if (isSaving.current || conflict || !isAhead(latest.current) || faultOf(asSent(content))) return;
    isSaving.current = true;
    setState({ kind: 'pending' });
    try {
      await send(base, asSent(content));
    } catch (error) {
      const current = isProblem(error, 'platform.conflict')
        ? (error.problem.current as ChatbotDraft | undefined)
        : null;
      if (current) takeIn(current);
      else setState({ kind: 'failed', error });
    } finally {
      isSaving.current = false;
    }
  });
  const isWanted = isAhead(kept) && !conflict && state.kind !== 'failed' && !faultOf(asSent(kept.content));
  useEffect(() => {
    if (!isWanted) return undefined;
    const timer = setTimeout(() => void save(), pauseMs);
    return () => clearTimeout(timer);
  }, [kept, isWanted]);
  // Whoever leaves the page has not to wait for the pause.
  useEffect(() => () => void save(), []);
  return { state, setState };
}

/** As it is seen: what cannot be sent is said at once, and what is as the server has it is saved. */
function seenState(state: SaveState, kept: Kept): SaveState {
  if (!isAhead(kept)) return state.kind === 'saved' ? state : { kind: 'saved', undo: null };
  return faultOf(asSent(kept.content)) ? { kind: 'invalid' } : state;
}

/**
 * A draft that saves itself a moment after each change. What somebody else changes meanwhile comes in by itself, part by
 * part; a part that both have changed is a conflict that the person decides. Nothing that was typed is lost: it is kept in
 * this browser until the server has it.
 */
export function useDraftEditing(server: ChatbotDraft) {
  const keeping = useKept(server);
  const { kept, latest, keep, conflict, setConflict } = keeping;
  const { state, setState } = useSave(server, keeping);
  const isDirty = isAhead(kept);
  const change = useCallback(
    (part: Partial<ChatbotContent>) => {
      const next = { ...latest.current.content, ...part };
      setState({ kind: 'pending' });
      keep({ base: latest.current.base, content: next });
    },
    [keep, latest, setState],
  );
  const decide = (whose: 'mine' | 'theirs') => {
    if (!conflict) return;
    const { base: theirs, content: mine } = latest.current;
    const chosen = whose === 'theirs' ? withParts(mine, conflict.fields, conflict.theirs.content) : mine;
    keep({ base: theirs, content: chosen });
    setConflict(null);
    setState({ kind: 'pending' });
  };
  return {
    content: kept.content,
    state: seenState(state, kept),
    conflict,
    isDirty,
    change,
    decide,
    again: () => setState({ kind: 'pending' }),
  };
}
