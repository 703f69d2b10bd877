import { memo, useEffect, useMemo, useRef } from 'react';
import { copyText } from '../../lib/clipboard.ts';
import { useText } from '../../lib/text.ts';
import { useMarkdownBlocks } from './markdown-blocks.ts';
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
    }),
    [t],
  );
  const options = useMemo(
    () => ({ words, sources: isWriting ? null : new Set(citations.map(({ number }) => number)) }),
    [words, isWriting, citations],
  );
  const rendered = useMarkdownBlocks(text, !isWriting, options);
  const root = useRef<HTMLDivElement>(null);
  const copied = t({ id: 'chat.code.copied', defaultMessage: 'Copied' });
  // The buttons stand in rendered HTML: one listener serves them all.
  useEffect(() => {
    const element = root.current;
    const act = (event: Event) => {
      const button = (event.target as Element).closest<HTMLButtonElement>('button');
      if (button?.dataset['cite']) onOpenSource(Number(button.dataset['cite']));
      if (button?.dataset['copy']) void copyCode(button, copied);
    };
    element?.addEventListener('click', act);
    return () => element?.removeEventListener('click', act);
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

async function copyCode(button: HTMLButtonElement, done: string): Promise<void> {
  const code = button.closest('.md-code')?.querySelector('code')?.textContent ?? '';
  if (!(await copyText(code))) return;
  const before = button.textContent;
  button.textContent = done;
  setTimeout(() => {
    button.textContent = before;
  }, 1500);
}
