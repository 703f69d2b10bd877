import type { Model } from '@parley/contracts';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useText } from '../../../lib/text.ts';
import { imageSupportOf } from '../state/images.ts';
import classes from './files.module.css';

/**
 * Says in a menu, below a model or a chatbot with its own model, that it gets only the names of this question's images.
 */
export function SeesNoImages({ model }: { model: Model | undefined }) {
  if (!model || imageSupportOf(model) !== 'no') return null;
  return (
    <LateTexts part="files">
      <Words />
    </LateTexts>
  );
}

function Words() {
  const { t } = useText();
  return (
    <span className={`p-meta ${classes.blind}`}>
      {t({ id: 'files.model.blind', defaultMessage: 'Doesn’t accept images' })}
    </span>
  );
}
