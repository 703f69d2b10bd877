import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Message, Model } from '@parley/contracts';
import { useState } from 'react';
import type { ConversationStreamState } from '../../../domain/conversation/conversation-stream-state.ts';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { addedBy, tokensOf, tokensOfPassages, useInputCost } from '../state/estimate.ts';
import { conversationKey } from '../state/messages.ts';

/**
 * Returns the cost of an answer's question with a model, without earlier messages. Adds its text, its images, files
 * that are read in full, and the most passages of searched files. Returns null if unknown, for example for files of
 * someone else.
 */
export function useAgainCost({ conversationId, parentId }: Message): (model: Model | undefined) => string | null {
  const orgId = useTab().organisation.id;
  const costOf = useInputCost();
  const client = useQueryClient();
  // Keep the question from when the menu opened, because a menu isn't open for long.
  const [question] = useState(() =>
    client
      .getQueryData<ConversationStreamState>(conversationKey(orgId, conversationId))
      ?.messages.find(({ id }) => id === parentId),
  );
  const sent = question?.files ?? [];
  const ids = sent.map(({ id }) => id).join(',');
  const { data } = useQuery({
    queryKey: resourceKey('files', orgId, ids),
    queryFn: ({ signal }) => api('GET /api/chat/files', { orgId, query: { ids }, signal }),
    enabled: sent.length > 0,
  });
  const files = sent.map(({ id, use }) => ({
    file: data?.items.find((file) => file.id === id),
    isSearched: use === 'searched',
  }));
  const isKnown = question !== undefined && files.every(({ file }) => file !== undefined);
  return (model) => {
    if (!model || !isKnown) return null;
    const added = addedBy(files, model);
    const searched = files.flatMap(({ file }, at) => (file && !file.image && added[at] === null ? [file] : []));
    const ofFiles = added.reduce<number>((sum, tokens) => sum + (tokens ?? 0), tokensOfPassages(searched, model));
    return costOf(model, tokensOf(question.text) + ofFiles);
  };
}
