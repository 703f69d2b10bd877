import type { LetterTrial, ServiceLetter } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';

type Trials = { readonly at: number; readonly byId: ReadonlyMap<string, LetterTrial> };
const none: Trials = { at: 0, byId: new Map() };

/** What is chosen among the dead letters, what a dry run of them came to, and handling them again. */
export function useDeadLetters(orgId: OrgId, letters: readonly ServiceLetter[]) {
  const client = useQueryClient();
  const [unchosen, setUnchosen] = useState<ReadonlySet<string>>(new Set());
  const [trials, setTrials] = useState(none);
  const params = { orgId };
  const open = letters.filter(({ isRetrying }) => !isRetrying);
  const chosen = open.filter(({ id }) => trials.byId.get(id)?.outcome === 'passes' && !unchosen.has(id));
  const tryAgain = useMutation({
    mutationFn: async () => {
      const answers = await Promise.all(
        byService(open).map(([service, ids]) =>
          api('POST /api/monitoring/all-organisations/:orgId/dead-letters/dry-run', { params, body: { service, ids } }),
        ),
      );
      return answers.flatMap(({ items }) => items);
    },
    onMutate: () => setUnchosen(new Set()),
    onSuccess: (items) => setTrials({ at: Date.now(), byId: new Map(items.map((item) => [item.id, item])) }),
  });
  const replay = useMutation({
    mutationFn: async () => {
      const answers = await Promise.all(
        byService(chosen).map(([service, ids]) =>
          api('POST /api/monitoring/all-organisations/:orgId/dead-letters/replay', { params, body: { service, ids } }),
        ),
      );
      return answers.reduce((sum, { count }) => sum + count, 0);
    },
    onSettled: () => {
      setTrials(none);
      return client.invalidateQueries({ queryKey: resourceKey('service-health', null, orgId) });
    },
  });
  const toggle = (id: string) =>
    setUnchosen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  return { open, chosen, trials, toggle, tryAgain, replay };
}
export type DeadLetterActs = ReturnType<typeof useDeadLetters>;

/** At most a hundred are shown, which is what one request takes. */
const byService = (letters: readonly ServiceLetter[]): [ServiceLetter['service'], string[]][] =>
  [...Map.groupBy(letters, ({ service }) => service)].map(([service, own]) => [service, own.map(({ id }) => id)]);
