import { Button } from '@mantine/core';
import type { FileId } from '@parley/contracts';
import { Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useText } from '../../../lib/text.ts';
import { PassageText } from '../../../domain/passage/passage-text.tsx';
import { useCited } from '../../../domain/document/viewed.ts';
import { useSaveFile } from '../files/use-save-file.ts';
import type { Quoted } from './source-passage.tsx';
import classes from './sources-panel.module.css';

type Props = {
  citation: Quoted['citation'] & { readonly fileId: FileId };
  hasFocus: boolean;
  onRead: () => void;
  onQuote: ((quoted: Quoted) => void) | null;
};

/** Shows the cited passage of a file of the chat. */
export function FileSource({ citation, hasFocus, onRead, onQuote }: Props) {
  const { t } = useText();
  const describe = useProblemText();
  const { fileId, chunkId, documentName: name } = citation;
  const { data, error } = useCited({ fileId }, chunkId);
  const openButton = useRef<HTMLButtonElement>(null);
  const isOpenable = data !== undefined;
  useEffect(() => {
    if (hasFocus && isOpenable) openButton.current?.focus();
  }, [hasFocus, isOpenable]);
  const { save, isPending } = useSaveFile({ id: fileId, name });
  return (
    <>
      {error ? (
        <p className={classes.note} role="alert">
          {describe(error).text}
        </p>
      ) : (
        <div className={classes.passage} aria-busy={!data}>
          {data ? <PassageText text={data.text} around={data} /> : '…'}
        </div>
      )}
      <div className={classes.actions}>
        {data ? (
          <Button variant="default" size="xs" ref={openButton} onClick={onRead}>
            {t({ id: 'files.source.open', defaultMessage: 'Open file' })}
          </Button>
        ) : null}
        {data && onQuote ? (
          <Button variant="subtle" size="xs" onClick={() => onQuote({ text: data.text, citation })}>
            {t({ id: 'files.source.quote', defaultMessage: 'Quote' })}
          </Button>
        ) : null}
        {data ? (
          <Button variant="default" size="xs" leftSection={<Download size={14} />} loading={isPending} onClick={save}>
            {t({ id: 'files.source.save', defaultMessage: 'Download file' })}
          </Button>
        ) : null}
      </div>
    </>
  );
}
