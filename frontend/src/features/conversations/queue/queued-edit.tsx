import type { QueuedQuestion } from '@parley/contracts';
import { useEffect, useRef } from 'react';
import { useText } from '../../../lib/text.ts';
import type { GiveBack } from '../state/composing.ts';
import { QuestionEdit } from '../parts/question-edit/index.tsx';

type Props = {
  item: QueuedQuestion;
  /** Resolves with false if the text wasn't saved. */
  save: (item: QueuedQuestion, text: string) => Promise<boolean>;
  onClose: () => void;
  giveBack: GiveBack;
};

/** Replaces a queued question, which keeps its turn, with a field. */
export function QueuedEdit({ item, save, onClose, giveBack }: Props) {
  const { t } = useText();
  const unsaved = useRef<string | null>(null);
  const give = useRef(giveBack);
  useEffect(() => {
    give.current = giveBack;
  });
  // The question was asked, or withdrawn on another device, so move the typed text to the message field.
  useEffect(
    () => () => {
      if (unsaved.current !== null) give.current(unsaved.current);
    },
    [],
  );
  const close = () => {
    unsaved.current = null;
    onClose();
  };
  return (
    <QuestionEdit
      text={item.text}
      hasFiles={(item.files ?? []).length > 0}
      hint={t({ id: 'tray.row.editKept', defaultMessage: 'It keeps its place in the queue.' })}
      action={t({ id: 'tray.row.save', defaultMessage: 'Save message' })}
      onText={(text) => {
        unsaved.current = text === item.text ? null : text;
      }}
      onSave={(text) => void save(item, text).then((isSaved) => isSaved && close())}
      onCancel={close}
    />
  );
}
