import { useCallback } from 'react';
import { useProblemText } from '../lib/problem-texts.ts';
import { useToast } from './toast.tsx';

/** Says why an act failed whose place may be gone. */
export function useErrorToast(): (error: unknown) => void {
  const toast = useToast();
  const describe = useProblemText();
  return useCallback((error) => toast({ text: describe(error).text }), [toast, describe]);
}
