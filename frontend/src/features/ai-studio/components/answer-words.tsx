import type { Citation } from '@parley/contracts';
import { useEffect, useMemo, useState } from 'react';
import { loadChunk } from '../../../lib/load-chunk.ts';
import classes from './answer-words.module.css';

type HtmlOf = (typeof import('../answer-html.ts'))['htmlOf'];
let loaded: HtmlOf | null = null;

/** What was answered; until what lays it out is here, as it was written. */
export function AnswerWords({ text, citations }: { text: string; citations: readonly Citation[] }) {
  const [htmlOf, setHtmlOf] = useState<HtmlOf | null>(() => loaded);
  useEffect(() => {
    if (!htmlOf)
      loadChunk(() => import('../answer-html.ts')).then(
        (library) => setHtmlOf(() => (loaded = library.htmlOf)),
        () => undefined,
      );
  }, [htmlOf]);
  const html = useMemo(() => htmlOf?.(text, new Set(citations.map(({ number }) => number))), [htmlOf, text, citations]);
  if (html === undefined)
    return (
      <div className={classes.plain} dir="auto">
        {text}
      </div>
    );
  return <div className={classes.words} dir="auto" dangerouslySetInnerHTML={{ __html: html }} />;
}
