import type { ErrorTestKind } from '@parley/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorTest, errorTestsQuery } from '../../domain/error-test/error-tests.ts';
import { api } from '../../lib/http.ts';
import { newId } from '../../lib/new-id.ts';

const soonMs = 500;
const laterMs = 10_000;
/** What has not come by then is waited for with more patience. */
const patienceMs = 30_000;

/** The own tests, read again while one is on its way. */
export function useErrorTests() {
  return useQuery({
    ...errorTestsQuery,
    refetchInterval: ({ state: { data } }) => {
      if (!data || data.sink === 'dsn') return laterMs;
      const waiting = data.items.filter(({ arrived }) => arrived === null);
      return waiting.some(({ at }) => Date.now() - Date.parse(at) < patienceMs) ? soonMs : laterMs;
    },
  });
}

/** Makes an error; one that is to happen while rendering is given back, for the page to throw. */
export function useTrigger() {
  const client = useQueryClient();
  const [thrown, setThrown] = useState<ErrorTest | null>(null);
  const mutation = useMutation({
    mutationFn: async (kind: ErrorTestKind) => {
      const body = { id: newId('errorTest'), kind };
      const test = await api('POST /api/monitoring/error-tests', { body, retries: 2 });
      const error = new ErrorTest(test);
      if (kind === 'script')
        setTimeout(() => {
          throw error;
        });
      if (kind === 'promise') void Promise.reject(error);
      if (kind === 'render') setThrown(error);
      // That it fails is what was asked for.
      if (kind === 'bff')
        await api('POST /api/monitoring/error-tests/:errorTestId/failure', { params: { errorTestId: test.id } }).catch(
          () => undefined,
        );
    },
    onSettled: () => client.invalidateQueries({ queryKey: errorTestsQuery.queryKey }),
  });
  return { ...mutation, thrown };
}
