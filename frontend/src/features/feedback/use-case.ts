import type { FeedbackCase, FeedbackId } from '@parley/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, isProblem, type Call } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';

type Change = Omit<Call<'PATCH /api/chat/feedback/:feedbackId'>['body'], 'revision'>;
type Act = { readonly change: Change } | { readonly reply: string };

export function useCase(feedbackId: FeedbackId) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('feedback', orgId, 'one', feedbackId),
    queryFn: ({ signal }) => api('GET /api/chat/feedback/:feedbackId', { orgId, params: { feedbackId }, signal }),
  });
}

/** Changes a case as it was seen. Where somebody was faster, what they did is shown and nothing is lost. */
export function useCaseAct({ id: feedbackId, revision }: FeedbackCase) {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const key = resourceKey('feedback', orgId, 'one', feedbackId);
  const place = { orgId, params: { feedbackId } };
  return useMutation({
    mutationFn: (act: Act): Promise<FeedbackCase> =>
      'reply' in act
        ? api('PUT /api/chat/feedback/:feedbackId/reply', { ...place, body: { revision, text: act.reply } })
        : api('PATCH /api/chat/feedback/:feedbackId', { ...place, body: { revision, ...act.change } }),
    onSuccess: (changed) => {
      client.setQueryData(key, changed);
      return client.invalidateQueries({ queryKey: resourceKey('feedback', orgId, 'list') });
    },
    onError: (error) => {
      if (isProblem(error, 'platform.conflict') && error.problem.current)
        client.setQueryData(key, error.problem.current as FeedbackCase);
    },
  });
}
