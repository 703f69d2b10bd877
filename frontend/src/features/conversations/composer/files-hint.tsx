import type { Model } from '@parley/contracts';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useText } from '../../../lib/text.ts';
import { tokensOf, useInputCost } from '../state/estimate.ts';
import { useAssumedContext } from '../files/use-file-words.ts';

type Props = {
  model: Model | null;
  /** The tokens of images, files that are read in full, and passages of searched files. */
  tokens: number;
  text: string;
  /** True if something comes before the hint in the same line. */
  isSecond: boolean;
};

/** Shows before sending how much of the model's context the question takes, and its minimum cost. */
export function FilesHint(props: Props) {
  return (
    <LateTexts part="files">
      <Estimate {...props} />
    </LateTexts>
  );
}

function Estimate({ model, tokens, text, isSecond }: Props) {
  const { t, intl } = useText();
  const costOf = useInputCost();
  const cost = costOf(model, tokens + tokensOf(text));
  const share = model?.context ? tokens / model.context.tokens : 0;
  const context = t(
    { id: 'files.hint.context', defaultMessage: '{percent} of context' },
    { percent: intl.formatNumber(share, { style: 'percent', maximumFractionDigits: share < 0.01 ? 1 : 0 }) },
  );
  const about = cost
    ? t({
        id: 'files.hint.covers',
        defaultMessage:
          'Estimated for this question: its text, its images, the files that are read in full and passages of searched files. The answer and earlier messages are not included.',
      })
    : t({
        id: 'files.hint.files',
        defaultMessage: 'Taken by images, by files that are read in full and by passages of searched files.',
      });
  const assumed = useAssumedContext()(model);
  const parts = [cost, context].filter((part) => part !== null).join(' · ');
  return (
    <span title={[about, assumed].filter((words) => words !== null).join(' ')}>{isSecond ? ` · ${parts}` : parts}</span>
  );
}
