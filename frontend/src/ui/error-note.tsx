import type { ReactNode } from 'react';
import { useProblemText } from '../lib/problem-texts.ts';
import { Note } from './note.tsx';

/** Shows why an act failed, followed by `children`. */
export function ErrorNote({ error, children }: { error: unknown; children?: ReactNode }) {
  const describe = useProblemText();
  return error ? (
    <Note kind="danger" isAlert>
      {describe(error).text} {children}
    </Note>
  ) : null;
}
