import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Note } from './note.tsx';

type Props = { failure: ReactNode; isBusy: boolean; children: ReactNode };

/** Ends a visitor's form: what the server refused, then the button that sends the form. */
export function FormEnd({ failure, isBusy, children }: Props) {
  return (
    <>
      {failure ? (
        <Note kind="danger" isAlert>
          {failure}
        </Note>
      ) : null}
      <Button type="submit" size="md" fullWidth loading={isBusy}>
        {children}
      </Button>
    </>
  );
}
