import { memo, useEffect, useMemo, useRef } from 'react';
import { loadChunk } from '../../lib/load-chunk.ts';
import { useText } from '../../lib/text.ts';
import { useDeferredMath, useMarkdownBlocks } from './markdown-blocks.ts';
import classes from './answer-text.module.css';

type Props = {
  text: string;
  isWriting: boolean;
  /** The sources that its numbers open. */
  citations: readonly { readonly number: number }[];
  openSource: number | null;
  onOpenSource: (number: number) => void;
};

/** The answer on the page: finished blocks stay as they are, only the last one is laid out again while it grows. */
export const AnswerText = memo(function AnswerText({ text, isWriting, citations, openSource, onOpenSource }: Props) {
  const { t } = useText();
  const words = useMemo(
    () => ({
      copy: t({ id: 'chat.code.copy', defaultMessage: 'Copy' }),
      code: t({ id: 'chat.code.plain', defaultMessage: 'text' }),
      image: t({ id: 'chat.code.image', defaultMessage: 'Image' }),
      wrap: t({ id: 'chat.code.wrap', defaultMessage: 'Wrap lines' }),
      download: t({ id: 'chat.code.download', defaultMessage: 'Download' }),
      copyCsv: t({ id: 'chat.table.csv', defaultMessage: 'Copy as CSV' }),
      copyMarkdown: t({ id: 'chat.table.markdown', defaultMessage: 'Copy as Markdown' }),
    }),
    [t],
  );
  const options = useMemo(
    () => ({ words, sources: isWriting ? null : new Set(citations.map(({ number }) => number)) }),
    [words, isWriting, citations],
  );
  const rendered = useMarkdownBlocks(text, !isWriting, options);
  const root = useRef<HTMLDivElement>(null);
  useDeferredMath(root, rendered);
  const copied = t({ id: 'chat.code.copied', defaultMessage: 'Copied' });
  // The buttons stand in rendered HTML: one listener serves them all.
  useEffect(() => {
    const element = root.current;
    const press = (event: Event) => {
      const button = (event.target as Element).closest<HTMLButtonElement>('button');
      if (button?.dataset['cite']) onOpenSource(Number(button.dataset['cite']));
      if (button?.dataset['act']) void act(button, copied);
    };
    element?.addEventListener('click', press);
    return () => element?.removeEventListener('click', press);
  });
  useEffect(() => {
    for (const button of root.current?.querySelectorAll<HTMLElement>('button[data-cite]') ?? []) {
      button.setAttribute('aria-expanded', String(Number(button.dataset['cite']) === openSource));
      button.setAttribute(
        'aria-label',
        t({ id: 'chat.source.open', defaultMessage: 'Source {number}' }, { number: button.dataset['cite'] }),
      );
    }
  }, [rendered, openSource, t]);
  if (!rendered) return <div className={classes.plain}>{text}</div>;
  return (
    <div ref={root} className={`${classes.answer} ${rendered.className}`}>
      {rendered.blocks.map((html, index) => (
        <Block key={index} html={html} isOpen={rendered.isLastOpen && index === rendered.blocks.length - 1} />
      ))}
    </div>
  );
});

// The HTML is sanitised where it is made, in markdown.ts.
const Block = memo(function Block({ html, isOpen }: { html: string; isOpen: boolean }) {
  return <div className={isOpen ? classes.open : undefined} dangerouslySetInnerHTML={{ __html: html }} />;
});

/** Says for a moment that something was copied. */
async function act(button: HTMLButtonElement, copied: string): Promise<void> {
  const { actOn } = await loadChunk(() => import('./block-acts.ts'));
  const before = button.textContent;
  if (!(await actOn(button)) || before === copied) return;
  button.textContent = copied;
  setTimeout(() => {
    button.textContent = before;
  }, 1500);
}
