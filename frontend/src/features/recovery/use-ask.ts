import { useState } from 'react';
import { api } from '../../lib/http.ts';
import { useLocale } from '../../lib/paths.ts';
import { useProblemText } from '../../lib/problem-texts.ts';

/** Asks for a link; `failure` says why nobody could be asked. */
export function useAsk(onAsked: (asked: { email: string; endsAt: string }) => void) {
  const describe = useProblemText();
  const locale = useLocale();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const ask = async (email: string): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const { endsAt } = await api('POST /api/auth/password-resets', { body: { email, locale } });
      onAsked({ email, endsAt });
    } catch (reason) {
      setError(reason);
    } finally {
      setBusy(false);
    }
  };
  return { ask, isBusy, failure: error ? describe(error).text : null, clear: () => setError(null) };
}
