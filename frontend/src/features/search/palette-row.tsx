import type { SearchHit } from '@parley/contracts';
import { useFormats } from '../../lib/formats.ts';
import type { Option } from './palette-options.ts';
import { Snippet } from './snippet.tsx';
import classes from './search-palette.module.css';

type Props = { option: Option; words: string; isChosen: boolean };

export function PaletteRow({ option, words, isChosen }: Props) {
  const { ago } = useFormats();
  const { icon: Icon, label, about, at, hit, group } = option;
  return (
    <>
      <Icon />
      {hit ? (
        <Hit hit={hit} />
      ) : (
        <bdi className={`p-one-line ${classes.label}`} {...(group === 'filters' && { dir: 'ltr' })}>
          <Matching text={label} words={words} />
        </bdi>
      )}
      {about === undefined ? null : <bdi className="p-meta">{about}</bdi>}
      {at === undefined ? null : <span className="p-meta">{ago(at)}</span>}
      {isChosen ? (
        <kbd dir="ltr" aria-hidden="true">
          Enter
        </kbd>
      ) : null}
    </>
  );
}

function Hit({ hit }: { hit: SearchHit }) {
  const { ago } = useFormats();
  return (
    <span className={classes.hit}>
      <span className={classes.head}>
        <bdi className={`p-one-line ${classes.label}`}>{hit.conversationTitle}</bdi>
        <span className="p-meta">{ago(hit.createdAt)}</span>
      </span>
      <Snippet text={hit.snippet} ranges={hit.ranges} />
    </span>
  );
}

/** The text with the place that fits what was typed, where lower case is as long as the text. */
function Matching({ text, words }: { text: string; words: string }) {
  const lower = text.toLocaleLowerCase();
  const at = words === '' || lower.length !== text.length ? -1 : lower.indexOf(words.toLocaleLowerCase());
  if (at < 0) return text;
  const end = at + words.length;
  return (
    <>
      {text.slice(0, at)}
      <b className={classes.match}>{text.slice(at, end)}</b>
      {text.slice(end)}
    </>
  );
}
