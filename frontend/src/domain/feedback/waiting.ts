import { api } from '../../lib/http.ts';
import { useCount } from '../../lib/use-count.ts';

/** Returns the number of open cases, up to 1,000; 0 for people who can't read them. */
export function useOpenCases(): number {
  return useCount({
    resource: 'feedback',
    of: 'open',
    right: 'feedback:read',
    ask: async (call) => (await api('GET /api/chat/feedback', { ...call, query: { limit: 1 } })).open,
  });
}
