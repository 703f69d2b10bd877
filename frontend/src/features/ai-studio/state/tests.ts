import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  ChatbotId,
  ChatbotTest,
  ChatbotTestId,
  TestExpectation,
  TestGate,
  TestResult,
  TestRun,
  TestRunId,
} from '@parley/contracts';
import { api } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';

const lookEveryMs = 2_000;

/** The newest runs, newest first. */
export function useRuns(chatbotId: ChatbotId) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('test-runs', orgId, 'list', chatbotId),
    queryFn: ({ signal }) =>
      api('GET /api/chat/chatbot-drafts/:chatbotId/test-runs', { orgId, params: { chatbotId }, signal }),
  });
}

/** With the result of each test; the server tells of each step, and it is looked at in between too. */
export function useRun(runId: TestRunId | null) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('test-runs', orgId, runId),
    queryFn: ({ signal }) => api('GET /api/chat/test-runs/:runId', { orgId, params: { runId: runId! }, signal }),
    enabled: runId !== null,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? lookEveryMs : false),
  });
}

function useRefresh() {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  return () => {
    void client.invalidateQueries({ queryKey: resourceKey('tests', orgId) });
    void client.invalidateQueries({ queryKey: resourceKey('test-runs', orgId) });
  };
}

export function useStartRun(chatbotId: ChatbotId) {
  const orgId = useTab().organisation.id;
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (version: number | null) =>
      api('POST /api/chat/chatbot-drafts/:chatbotId/test-runs', {
        orgId,
        params: { chatbotId },
        body: { id: newId('testRun'), version },
        retries: 2,
      }),
    onSettled: refresh,
  });
}

export function useStopRun() {
  const orgId = useTab().organisation.id;
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (runId: TestRunId) =>
      api('POST /api/chat/test-runs/:runId/stop', { orgId, params: { runId }, retries: 2 }),
    onSettled: refresh,
  });
}

export type TestWords = { readonly question: string; readonly expects: TestExpectation };

/** Makes a test or, where there is one, changes it. */
export function useSaveTest(chatbotId: ChatbotId) {
  const orgId = useTab().organisation.id;
  const refresh = useRefresh();
  const create = (id: ChatbotTestId, words: TestWords) =>
    api('POST /api/chat/chatbot-drafts/:chatbotId/tests', {
      orgId,
      params: { chatbotId },
      body: { id, ...words },
      retries: 2,
    });
  return {
    create,
    change: ({ id: testId, revision }: ChatbotTest, words: TestWords) =>
      api('PUT /api/chat/tests/:testId', { orgId, params: { testId }, body: { revision, ...words } }),
    refresh,
  };
}

/** Takes a test out at once; what that is undone by makes it again. */
export function useDeleteTest(chatbotId: ChatbotId) {
  const orgId = useTab().organisation.id;
  const { create, refresh } = useSaveTest(chatbotId);
  const remove = useMutation({
    mutationFn: ({ id: testId }: ChatbotTest) =>
      api('DELETE /api/chat/tests/:testId', { orgId, params: { testId }, retries: 2 }),
    onSettled: refresh,
  });
  const restore = useMutation({
    mutationFn: ({ id, question, expects }: ChatbotTest) => create(id, { question, expects }),
    onSettled: refresh,
  });
  return { remove, restore };
}

export function useSetGate(chatbotId: ChatbotId) {
  const orgId = useTab().organisation.id;
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: { was: TestGate; gate: TestGate }) =>
      api('PUT /api/chat/chatbot-drafts/:chatbotId/gate', { orgId, params: { chatbotId }, body }),
    onSettled: refresh,
  });
}

/** Of one test in a run; undefined where it was not part of it, or was another test then. */
export const resultOf = (run: TestRun | undefined, test: ChatbotTest): TestResult | undefined =>
  run?.results.find(({ testId, revision }) => testId === test.id && revision === test.revision);
