import type { GenerationFailure, Message } from '@parley/contracts';
import { CornerDownRight } from 'lucide-react';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useText } from '../../../lib/text.ts';
import { useModelName } from '../../../domain/model/model-name.ts';
import classes from './message.module.css';

type Generation = NonNullable<Message['generation']>;
type Props = { from: NonNullable<Generation['fellBackFrom']>; model: Generation['model'] };

const why: Partial<Record<GenerationFailure, string>> = {
  'provider-refused': 'key',
  'provider-rate-limited': 'busy',
  'provider-overloaded': 'busy',
  'provider-unreachable': 'away',
  'provider-unknown-host': 'away',
  'provider-cut': 'away',
  'provider-stalled': 'silent',
  'context-too-long': 'long',
  'images-refused': 'images',
  'model-missing': 'missing',
};

/** Says that the chatbot's first model failed before its first word, and which model answers instead. */
export function FellBack(props: Props) {
  return (
    <LateTexts part="failed">
      <Words {...props} />
    </LateTexts>
  );
}

function Words({ from, model }: Props) {
  const { rich } = useText();
  const nameOf = useModelName();
  return (
    <div className={`p-meta ${classes.restarted}`}>
      <CornerDownRight size={12} className={classes.mirrored} />
      <span>
        {rich(
          {
            id: 'failed.answer.fellBack',
            defaultMessage:
              '{why, select, key {{first} did not take the key} busy {{first} has too much to do} away {{first} could not be reached} silent {{first} sent no word} long {The chat is too long for {first}} images {{first} refused the images} missing {{first} is unknown to its server} other {{first} reported an error}}: {model} answers instead.',
          },
          {
            why: why[from.failure] ?? 'other',
            first: <bdi key="first">{from.label}</bdi>,
            model: <bdi key="model">{nameOf(model)}</bdi>,
          },
        )}
      </span>
    </div>
  );
}
