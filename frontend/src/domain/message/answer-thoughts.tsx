import { ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { useFormats } from '../../lib/formats.ts';
import { useText } from '../../lib/text.ts';
import classes from './answer-thoughts.module.css';

type Props = {
  text: string;
  /** Null while nobody has said how long it took. */
  ms: number | null;
  isThinking: boolean;
};

/** What the model thought before its answer, folded. It is none of the answer: plain text, and copied only by hand. */
export const AnswerThoughts = memo(function AnswerThoughts({ text, ms, isThinking }: Props) {
  const { t } = useText();
  const { seconds } = useFormats();
  const summary = isThinking
    ? t({ id: 'chat.thoughts.now', defaultMessage: 'What it thinks' })
    : ms === null
      ? t({ id: 'chat.thoughts.had', defaultMessage: 'What it thought' })
      : t({ id: 'chat.thoughts.took', defaultMessage: 'Thought for {time}' }, { time: seconds(ms) });
  return (
    <details className={classes.thoughts}>
      <summary>
        {summary}
        <ChevronRight className={classes.arrow} size={14} />
      </summary>
      <div className={classes.text} dir="auto">
        {text.trim()}
      </div>
    </details>
  );
});
