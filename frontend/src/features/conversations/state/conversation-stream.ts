import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConversationId, MessageId } from '@parley/contracts';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { isRunning, newAnswer, type PathPage } from '../../../domain/conversation/conversation-path.ts';
import {
  applyChanges,
  applyChangesAndPath,
  applyNewestPage,
  applyOlderPage,
  applyPath,
  emptyConversation,
  expectAnswer,
  leafOf,
  runningAnswer,
  type ConversationStreamState,
} from '../../../domain/conversation/conversation-stream-state.ts';
import { isProblem } from '../../../lib/http.ts';
import { useConnection } from '../../../lib/live.tsx';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { follow, singleFlight, type Access, type CatchUp } from './follow-conversation.ts';
import { conversationKey, fetchPath, inTurn, keepPlace, type Place } from './messages.ts';

const pageSize = 50;
const mostChanges = 100;

type Opened = {
  /** True while the chat's first question is being sent. */
  readonly isNew: boolean;
  /** A message that a link names; the path through it is read first. */
  readonly target: MessageId | null;
};

/** Reads the path and the live text of a conversation by HTTP and socket into the query cache. */
export function useConversationStream(conversationId: ConversationId, { isNew, target }: Opened) {
  const orgId = useTab().organisation.id;
  const connection = useConnection();
  const place = useMemo<Place>(() => ({ orgId, conversationId }), [orgId, conversationId]);
  const access = useAccess(place);
  const query = useQuery<ConversationStreamState>({
    queryKey: conversationKey(orgId, conversationId),
    queryFn: async ({ signal }) => {
      try {
        const page = await openPath(place, leafOf(access.read()) ?? target, signal);
        return applyNewestPage(access.read(), page);
      } catch (error) {
        if (isNew && isProblem(error, 'chat.conversation-not-found')) return access.read();
        throw error;
      }
    },
    retry: false,
    staleTime: Infinity,
    structuralSharing: false,
  });
  const { refetch } = query;
  // Follow only a stored conversation: for others the server refuses access.
  const isKnown = (query.data?.sequence ?? 0) > 0 || (query.data?.messages.length ?? 0) > 0;
  const catchUp = useCatchUp(place, access);
  const following = useRef<ReturnType<typeof follow> | null>(null);
  useEffect(() => {
    if (!isKnown) return undefined;
    const own = follow({ connection, conversationId, access, catchUp, refetch: () => void refetch() });
    following.current = own;
    return () => {
      following.current = null;
      own.stop();
    };
  }, [connection, conversationId, access, catchUp, isKnown, refetch]);
  const running = query.data && runningAnswer(query.data)?.generation?.id;
  // Follow an answer even before its event comes: the response to the sent question names it, too.
  useEffect(() => following.current?.followRunning(), [running]);
  const loadOlder = useCallback(async () => {
    const state = access.read();
    const before = state.messages[0]?.depth;
    if (before === undefined || !state.hasOlder) return;
    const page = await fetchPath(place, { leaf: leafOf(state) ?? undefined, before, limit: pageSize });
    access.change((known) => applyOlderPage(known, page));
  }, [access, place]);
  /** Follows an answer that is just being requested from its first token, even if that comes before the message. */
  const expect = useCallback(
    (answer: NonNullable<ConversationStreamState['expected']>) => access.change((state) => expectAnswer(state, answer)),
    [access],
  );
  const show = useShow(place, access, catchUp);
  return { state: query.data, expect, error: query.error, refetch, loadOlder, show, change: access.change, catchUp };
}

function useAccess(place: Place): Access {
  const client = useQueryClient();
  return useMemo(() => {
    const { orgId, conversationId } = place;
    const key = conversationKey(orgId, conversationId);
    const read = () => client.getQueryData<ConversationStreamState>(key) ?? emptyConversation(conversationId);
    return { read, change: (step) => void client.setQueryData<ConversationStreamState>(key, step(read())) };
  }, [client, place]);
}

/**
 * Reads the newest page of the path through this message; if the message is gone, the newest page of the reader's last
 * path.
 */
async function openPath(place: Place, through: MessageId | null, signal?: AbortSignal): Promise<PathPage> {
  if (through === null) return fetchPath(place, { limit: pageSize }, signal);
  try {
    return await fetchPath(place, { through, limit: pageSize }, signal);
  } catch (error) {
    if (!isProblem(error, 'chat.message-not-found')) throw error;
    return fetchPath(place, { limit: pageSize }, signal);
  }
}

/** Returns a function that loads changes after the last known sequence, page by page. */
function useCatchUp(place: Place, access: Access): CatchUp {
  return useMemo(
    () =>
      singleFlight(
        () => access.read().sequence,
        () => catchUpOnce(place, access),
      ),
    [place, access],
  );
}

async function catchUpOnce(place: Place, { read, change }: Access): Promise<void> {
  let known = leafOf(read());
  try {
    for (let hasNewer = true; hasNewer;) {
      const leaf = leafOf(read());
      const after = read().sequence;
      const page = await fetchPath(place, { after, limit: mostChanges, leaf: leaf ?? undefined });
      const next = newAnswer(read().messages, read().versions, page);
      const path = next && (await fetchPath(place, { through: next, limit: pageSize }));
      // The reader has moved to another path meanwhile: drop this page, and load that path's changes.
      const isOfOther = leafOf(read()) !== leaf;
      if (!isOfOther && path) {
        change((state) => applyChangesAndPath(state, page, path));
        known = leafOf(read());
      } else if (!isOfOther) change((state) => applyChanges(state, page));
      hasNewer = isOfOther || page.hasNewer === true;
    }
  } catch (error) {
    if (!isProblem(error, 'chat.message-not-found')) throw error;
    const page = await fetchPath(place, { limit: pageSize });
    change((state) => applyPath(state, page));
  }
  const last = read().messages.at(-1);
  // Read the page again: the last message is new here but older than the known sequence, so changes don't bring the
  // messages below it.
  if (last && last.id !== known && known !== null && !isRunning(last)) {
    const page = await fetchPath(place, { through: last.id, limit: pageSize });
    change((state) => applyNewestPage(state, page));
  }
}

/** Returns a function that shows the path through a message, and stores it as the reader's position. */
function useShow(place: Place, access: Access, catchUp: CatchUp) {
  return useCallback(
    async (through: MessageId) => {
      const page = await pathTo(place, through);
      const before = access.read();
      access.change((state) => applyPath(state, page));
      if (page.sequence < before.sequence) void catchUp();
      if (page.leafId === leafOf(before)) return;
      await inTurn(place, async () => {
        const version = Math.max(page.placeVersion, access.read().placeVersion);
        const placeVersion = await keepPlace(place, { through, version });
        access.change((state) => ({ ...state, placeVersion }));
      });
    },
    [place, access, catchUp],
  );
}

/** Reads pages from the end of the path back to the message. */
async function pathTo(place: Place, through: MessageId): Promise<PathPage> {
  const newest = await fetchPath(place, { through, limit: mostChanges });
  let all: PathPage = newest;
  while (all.hasOlder && !all.items.some(({ id }) => id === through)) {
    const older = { leaf: newest.leafId ?? undefined, before: all.items[0]?.depth, limit: mostChanges };
    const { items, hasOlder, versions } = await fetchPath(place, older);
    all = { ...all, items: [...items, ...all.items], hasOlder, versions: [...versions, ...all.versions] };
  }
  return all;
}
