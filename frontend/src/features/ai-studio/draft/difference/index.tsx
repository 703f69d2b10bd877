import type { ChatbotContent } from '@parley/contracts';
import { ArrowRight } from 'lucide-react';
import { useText } from '../../../../lib/text.ts';
import { BotMark } from '../../../../domain/picture/avatar.tsx';
import { glyphs } from '../../../../ui/glyph.ts';
import { differing, type Field } from '../../state/merge-drafts.ts';
import { useWords } from '../../state/use-words.ts';
import { TextDiffView } from '../text-diff-view/index.tsx';
import classes from './difference.module.css';

type Props = {
  before: ChatbotContent;
  after: ChatbotContent;
  /** All in which they differ, unless given. */
  fields?: readonly Field[];
};

/** What became of a content: its instructions line by line, of any other part the old and the new value. */
export function Difference({ before, after, fields = differing(before, after) }: Props) {
  const { t } = useText();
  const { fieldNames, valueOf } = useWords();
  const others = fields.filter((field) => field !== 'instructions');
  if (fields.length === 0)
    return <p className="p-sm p-quiet">{t({ id: 'studio.diff.none', defaultMessage: 'Nothing differs.' })}</p>;
  const shown = (field: Exclude<Field, 'instructions'>, content: ChatbotContent) =>
    field === 'glyph' ? <BotMark icon={glyphs[content.glyph]} size={20} /> : <bdi>{valueOf(field, content)}</bdi>;
  return (
    <div className={classes.difference}>
      {fields.includes('instructions') ? (
        <>
          <h3 className="p-h3">{fieldNames.instructions}</h3>
          <TextDiffView label={fieldNames.instructions} before={before.instructions} after={after.instructions} />
        </>
      ) : null}
      {others.length > 0 && others.length < fields.length ? (
        <h3 className="p-h3">{t({ id: 'studio.diff.others', defaultMessage: 'Other parts' })}</h3>
      ) : null}
      {others.length > 0 ? (
        <dl className={classes.values}>
          {others.map((field) => (
            <div key={field} className={`p-sm ${classes.value}`}>
              <dt>{fieldNames[field]}</dt>
              <dd>
                <del className={classes.old}>{shown(field, before)}</del>
                <ArrowRight size={14} className="p-mirror" />
                <ins className={classes.now}>{shown(field, after)}</ins>
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </div>
  );
}
