import { useQuery } from '@tanstack/react-query';
import type { MessageId, Trial, TrialId } from '@parley/contracts';
import { useEffect, useEffectEvent, useState } from 'react';
import {
  applyFrame,
  emptyConversation,
  expectAnswer,
  needsReopen,
  streamToFollow,
} from '../conversation/conversation-stream-state.ts';
import { api } from '../../lib/http.ts';
import type { LiveAnswer } from '../conversation/live-answer.ts';
import { useConnection } from '../../lib/live.tsx';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';

/** Its words come by the socket; while that is away they come by this. */
const lookEveryMs = 2_000;
/** A trial has one answer: nothing has to tell it from others. */
const theAnswer = 'answer' as MessageId;

export const isOver = ({ status }: Pick<Trial, 'status'>): boolean => status !== 'queued' && status !== 'running';

/** A trial, its text and thoughts word by word while it is answered; somebody else's is not found. */
export function useTrial(id: TrialId | null, known?: Trial) {
  const orgId = useTab().organisation.id;
  const { data, error, refetch } = useQuery({
    queryKey: resourceKey('trials', orgId, id),
    queryFn: ({ signal }) =>
      api('GET /api/chat/trials/:trialId', { orgId, params: { trialId: id as TrialId }, signal }),
    enabled: id !== null,
    initialData: known,
    staleTime: ({ state }) => (state.data && isOver(state.data) ? Infinity : 0),
    refetchInterval: ({ state }) => (state.data && !isOver(state.data) ? lookEveryMs : false),
    retry: false,
  });
  const live = useLiveAnswer(data, () => void refetch());
  return { trial: data && live ? withLive(data, live) : data, thoughts: thoughtsOf(data, live), error };
}

function withLive(trial: Trial, { text, earlierText }: LiveAnswer): Trial {
  if (isOver(trial)) return trial;
  const told = text || earlierText;
  return { ...trial, status: 'running', text: told.length < trial.text.length ? trial.text : told };
}

const thoughtsOf = (trial: Trial | undefined, live: LiveAnswer | null): string =>
  (trial && isOver(trial) ? trial.thoughts?.text : live?.thoughts) ?? '';

/** What its live stream has told; null before its first frame. */
function useLiveAnswer(trial: Trial | undefined, onEnd: () => void): LiveAnswer | null {
  const connection = useConnection();
  const [live, setLive] = useState<LiveAnswer | null>(null);
  const end = useEffectEvent(onEnd);
  const isRunning = trial !== undefined && !isOver(trial);
  const { id: trialId, conversationId, generationId } = trial ?? {};
  useEffect(() => {
    if (!isRunning || !trialId || !conversationId || !generationId) return undefined;
    let state = expectAnswer(emptyConversation(conversationId), { generationId, answerId: theAnswer });
    let isAsking = false;
    const open = async () => {
      if (isAsking) return;
      isAsking = true;
      const ack = await connection.open({ conversationId, trialId, stream: streamToFollow(state) });
      isAsking = false;
      if (ack?.ok && ack.generationId === null) end();
    };
    const stops = [
      connection.on('connected', () => void open()),
      connection.on('generation.frame', (frame) => {
        state = applyFrame(state, frame);
        setLive(state.stream);
        if (needsReopen(state)) void open();
        if (state.stream?.end) end();
      }),
    ];
    void open();
    return () => {
      for (const stop of stops) stop();
      connection.leave(conversationId);
    };
  }, [connection, isRunning, trialId, conversationId, generationId]);
  return live;
}
