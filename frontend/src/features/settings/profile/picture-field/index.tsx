import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { newId } from '../../../../lib/new-id.ts';
import { useProblemText } from '../../../../lib/problem-texts.ts';
import { useTab } from '../../../../lib/tab-organisation.tsx';
import { useText } from '../../../../lib/text.ts';
import { upload } from '../../../../lib/upload.ts';
import { PersonAvatar } from '../../../../domain/picture/avatar.tsx';
import { Note } from '../../../../ui/note.tsx';
import { useActionOff } from '../../../../ui/stale.tsx';
import type { ProfileChanges } from '../use-profile-changes.ts';
import { OutcomeNote } from '../outcome-note.tsx';
import classes from '../../parts/settings.module.css';

const largestBytes = 5_000_000;

/** A chosen file is sent, then saved like any other field; the picture of before comes back by the undo. */
export function PictureField({ changes }: { changes: ProfileChanges }) {
  const { t } = useText();
  const { me } = useTab();
  const off = useActionOff();
  const input = useRef<HTMLInputElement>(null);
  const changeButton = useRef<HTMLButtonElement>(null);
  const { send, isSending, failure } = useSending(changes);
  const change = t({ id: 'settings.picture.change', defaultMessage: 'Change picture' });
  const remove = () => {
    changes.save({ field: 'picture', value: null });
    // This button goes with the picture.
    changeButton.current?.focus();
  };
  const nameOf = (value: string | null) =>
    value === null
      ? t({ id: 'settings.picture.none', defaultMessage: 'no picture' })
      : t({ id: 'settings.picture.some', defaultMessage: 'a picture' });
  return (
    <div className={classes.picture}>
      <PersonAvatar id={me.id} name={me.name} picture={me.picture} size={56} />
      <div className={classes.field}>
        <div className={classes.pictureActs}>
          <input
            ref={input}
            type="file"
            hidden
            accept="image/png,image/jpeg,image/webp,image/gif"
            aria-label={change}
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? [];
              if (file) send(file);
              event.currentTarget.value = '';
            }}
          />
          <Button
            ref={changeButton}
            variant="default"
            loading={isSending}
            onClick={() => input.current?.click()}
            {...off}
          >
            {change}
          </Button>
          {me.picture ? (
            <Button variant="subtle" onClick={remove} {...off}>
              {t({ id: 'settings.picture.remove', defaultMessage: 'Remove' })}
            </Button>
          ) : null}
        </div>
        <p className="p-meta">
          {t({
            id: 'settings.picture.about',
            defaultMessage: 'PNG, JPEG, WebP or GIF up to 5 MB. Without one, your initials are shown.',
          })}
        </p>
        {failure === null ? null : (
          <Note kind="danger" isAlert>
            {failure}
          </Note>
        )}
        <OutcomeNote field="picture" {...changes} nameOf={nameOf} />
      </div>
    </div>
  );
}

function useSending(changes: ProfileChanges) {
  const { t } = useText();
  const describe = useProblemText();
  const [isTooLarge, setIsTooLarge] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (file: File) => upload('POST /api/auth/pictures', { query: { id: newId('picture') }, file }).done,
    onSuccess: ({ id }) => changes.save({ field: 'picture', value: id }),
  });
  const send = (file: File) => {
    setIsTooLarge(file.size > largestBytes);
    if (file.size <= largestBytes) mutate(file);
  };
  const tooLarge = t({
    id: 'settings.picture.tooLarge',
    defaultMessage:
      'This file is larger than 5 MB, so it was not sent. Choose a smaller one, or make it smaller first.',
  });
  return { send, isSending: isPending, failure: isTooLarge ? tooLarge : error ? describe(error).text : null };
}
