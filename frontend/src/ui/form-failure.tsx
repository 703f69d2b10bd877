import type { ReactNode } from 'react';
import type { FormFailure } from '../lib/use-server-form.ts';
import { InSight } from './in-sight.tsx';
import { Note } from './note.tsx';

/** Above the button of a form: what the server refused and no field shows. */
export function FormFailureNote({ failure, children }: { failure: FormFailure | null; children?: ReactNode }) {
  if (!failure) return null;
  return (
    <InSight>
      <Note kind="danger" isAlert>
        {failure.text}
        {failure.details.length > 0 ? (
          <div className="p-mono" dir="ltr">
            {failure.details.join(', ')}
          </div>
        ) : null}
        {children}
      </Note>
    </InSight>
  );
}
