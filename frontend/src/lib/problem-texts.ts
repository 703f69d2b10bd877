import { createContext, useCallback, useContext } from 'react';
import type { IntlShape, MessageDescriptor } from 'react-intl';
import { NetworkError, ProblemError } from './http.ts';
import { useText } from './text.ts';

const lateWords = createContext<IntlShape | null>(null);
/** Gives words of problems that only signed-in people meet, once they have been loaded. */
export const LateProblemWords = lateWords.Provider;

/** Words for any failure of a call, and the trace to give to an administrator. */
export function useProblemText() {
  const { intl, t } = useText();
  const late = useContext(lateWords);
  return useCallback(
    (error: unknown): { text: string; traceId: string | null } => {
      if (error instanceof NetworkError) {
        return {
          text: t({
            id: 'problem.network.unreachable',
            defaultMessage: 'The server could not be reached. Check the connection; nothing that you typed is lost.',
          }),
          traceId: null,
        };
      }
      const problem = error instanceof ProblemError ? error.problem : null;
      // A newer server may name what this page has no words for; their table is `problem-messages.ts`.
      const own: MessageDescriptor = { id: `problem.${problem?.code}` };
      const words = [intl, late].find((one) => one && String(own.id) in one.messages);
      const known = words ? own : { id: 'problem.platform.internal' };
      return {
        text: (words ?? intl).formatMessage(known, { seconds: problem?.retryAfterSeconds ?? 0 }),
        traceId: problem?.traceId ?? null,
      };
    },
    [intl, late, t],
  );
}
